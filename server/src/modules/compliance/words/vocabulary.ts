/**
 * The words of requests, English and Spanish side by side, as they remain without accents and apostrophes. A rule names a
 * class of words, so it holds in both languages.
 */
const table = {
  /** The words that the rules of carriers and regulators prescribe. Alone, each is an opt-out. */
  prescribed: {
    en: 'stop, stopall, stop all, unsubscribe, unsub, cancel, end, quit, revoke, optout, opt out, remove, arret',
    es: 'alto, para, parar, basta, cancelar, baja',
  },
  /** Words that alone are an opt-out, and remain one in any padding. */
  stop: {
    en: 'stop, stopall, stop all, removeme, stoptexting, stoptextingme, stopit, takemeoff, leavemealone, donttextme, dontcallme, unsubscribeme, youre blocked, you are blocked, ur blocked, consider yourself blocked, blocked, stahp, stawp, stahhp, quit it, quit that, cut it out, knock it off, reply stop, text stop, send stop, stop it please, stop now, unsubscribe, unsub, un sub, un subscribe, optout, opt out, opt me out, stopp, arret, arretez, stop it, do not contact, do not contact me, dont contact, dont contact me, do not text, do not text me, dont text, dont text me, do not call, do not call me, dont call, dont call me, do not email, do not email me, dont email, dont email me, do not message, dont message me, do not disturb, dnc, stop texting, stop calling, stop messaging, stop emailing, no more, remove me, delete me, take me off, leave me alone, unsubscribe me, unfollow, block me, stop2end, stop2quit, quit all of it, cancel all of it, cancel me, end this, end this now, list removal, removal request, removal, unsubscribe request, opt out request, stop request, mute, mute this, off, turn it off, never again, can you not, can u not, blocking, blocking you, blocking this number, give it a rest, cut contact, discontinue service, stop texts, stop messages, stop emails, stop calls, stop everything, stop sending',
    es: 'me dan de baja, me da de baja, me den de baja, cese y desista, cesen y desistan, paren, pare, parele, parenle, parale, olvidense de mi, olvidese de mi, olvidate de mi, no moleste, no molesten, bloqueado, bloqueados, bloqueada, alto, basta, desuscribir, desuscribirme, desuscribirse, desuscribanme, darme de baja, dar de baja, darse de baja, denme de baja, deme de baja, dame de baja, deme la baja, no contactar, no molestar, no llamar, no llamar mas, no escribir, no escribir mas, no mandar mas, no enviar mas, no mas, ya no mas, dejame en paz, dejenme en paz, dejeme en paz, no me contacten, no contacten',
  },
  /** Words that alone are an opt-out, but with most other words mean something else. */
  weak: {
    en: 'enough, thats enough, discontinue, terminate, halt, cancel, end, quit, revoke, remove, cease, desist, cease and desist, delete',
    es: 'suficiente, ya fue suficiente, para, parar, parale, parenle, cancelar, cancele, cancelen, cancela, baja, salir, finalizar, detener, detente, detengan, detenganse, fin, terminar, eliminar, borrar, quitar, anular',
  },
  start: { en: 'start, unstop, resubscribe, opt in, optin', es: 'iniciar, comenzar, empezar, reanudar' },
  help: { en: 'help, info', es: 'ayuda, auxilio' },
  /** What people put around a single word without changing it. */
  polite: {
    en: 'please, pls, plz, plss, plse, thanks, thank you, thx, ty, ok, okay, k, hi, hello, hey, no, nope, nah, now, already, yes, yeah, yep, yo, sir, maam, mam, mr, mrs, ms, i said, said, no thanks, no thank you, nty, no ty, ni, n i, not int, no int, uninterested, not interested, im not interested, sorry, kindly',
    es: 'por favor, porfa, porfavor, xfa, x favor, gracias, hola, si, ya, ahora, ahorita, y, no gracias, no me interesa, no estoy interesado, no estoy interesada, dije, senor, senora, disculpe, perdon, buenas, buenos dias, buenas tardes, inmediatamente',
  },
  padding: {
    en: '2, also, and, or, then, so, again, today, immediately, right now, asap, me, us, just, simply, really, seriously, literally, man, bro, dude, guys, folks, yall, lol, omg, ugh, um, uh, well, u, you, it, this, that, these, those, them, everything, everyone, all, all of it, all of this, all this, ever, forever, for good, for ever, for real, the hell, tf, wtf, the fuck, the heck, fucking, fuckin, freaking, fricking, damn, dammit, damnit, god, jesus, for the love of god, for gods sake, for crying out loud, stuff, crap, shit, bs, bullshit, nonsense, i say, i told you, i already told you, i told you to, i already told you to, told you to, i asked you to, i already asked you to, i asked you, i am asking you to, im asking you to, im begging you, i am begging you, i need you to, i want you to, i want it to, i want this to, i want to, i need to, i would like to, id like to, i need this to, i want these to, i would like you to, id like you to, i would appreciate it if you would, you need to, you must, you have to, you should, can you, could you, would you, will you, can u, could u, would u, i wish to, we want to, make it, make this, can you all, twice, three times, once, last time, for the last time, one last time, final warning, last warning, final notice, trying, seriously, im serious, i mean it, to, must, it all, there, at once, permanently, completely, with this, with it, with that, from now on, going forward, spam, spammer, scammer, scam, bruh, brah, fam, sis, homie, girl, boss, mate, buddy, pal, stfu, smh, chill, creep, loser, bot, idiot, jerk, we are good, were good, im good, im not selling, im not buying, not selling, not buying, not for sale, its not for sale, have a good day, have a nice day, good day, bye, goodbye, god bless, dear, team, im sorry, i am sorry, sorry but, but, english, means stop, give me a break',
    es: 'solo, nomas, de verdad, en serio, amigo, amiga, oye, oiga, oigan, todo, esto, eso, todos, ustedes, usted, tu, les pido, le pido, les digo que, le digo que, ya les dije, ya te dije, ya le dije, ya dije, ya les dije que, te dije que, quiero, quisiera, deseo, necesito, favor de, favor, me gustaria, puede, pueden, puedes, podria, podrian, que, carajo, chingado, chingao, maldita sea, de una vez, para siempre, de inmediato, cuanto antes, adios, saludos, que tenga buen dia, buen dia',
  },
  /** Our messages and calls. */
  thing: {
    en: 'texts?, txts?, texting, text messages?, messages?, messaging, msgs?, mssgs?, mesages?, sms, emails?, e mails?, mails?, mailings?, spam, newsletters?, notifications?, alerts?, updates?, reminders?, promos?, promotions?, promotional, ads?, advertisements?, advertising, marketing, solicitations?, soliciting, communications?, correspondence, blasts?, outreach, subscriptions?, robocalls?, robo calls?, robotexts?, calls?, phone calls?, contact, follow ups?, followups?, check ins?, pestering, solicitors?, pop ups?, smss, campaigns?, whatsapps?, dms?, harassment, auto replies, bot, drip, voicemails?, sales pitch(?:es)?, bombardment',
    es: 'mensajes?, mensajitos?, mensages?, textos?, llamadas?, correos?, notificaciones, notificacion, avisos?, alertas?, promociones, promocion, publicidad, propaganda, anuncios?, suscripcion, suscripciones, comunicaciones, comunicacion, contacto, recordatorios?, boletines, boletin, informacion, actualizaciones, insistencia, acoso',
  },
  /** What we do to the person, as the object of an ending. */
  doing: {
    en: 'texting, texing, txting, txtin, textin, messaging, msging, messagin, contacting, calling, callin, emailing, mailing, sending, writing, bothering, spamming, harassing, harrassing, pestering, annoying, bugging, soliciting, pinging, notifying, disturbing, hounding, stalking, badgering, bombarding, blowing up, blowing me up, blowing my phone up, blowin up, hitting up, hitting me up, hitting my line, hitting my phone, reaching out, messing with, trying to contact, trying to reach, trying to call, trying to sell, following up, checking in, wasting, robocalling, dialing, phoning, ringing, whatsapping, flooding, nagging, chasing, chasing me, txtn, texten, mssging, following up with, targeting, pushing, advertising',
    es: 'comunic\\w{0,8}, fregar, fregando, escrib\\w{0,8}, mand\\w{0,8}, envi\\w{0,8}, llam\\w{0,8}, contact\\w{0,8}, molest\\w{0,8}, texte\\w{0,8}, notific\\w{0,8}, fastidi\\w{0,8}, marcar\\w{0,4}, marcando\\w{0,4}, acos\\w{0,8}, hostig\\w{0,8}, insist\\w{0,8}, chingar, joder, buscarme, spam',
  },
  /** The same after a negation. */
  do: {
    en: 'text, txt, message, msg, contact, call, cal, email, e mail, send, hmu, hit my line, dm, contact or text, text or call, call or text, write, bother, spam, harass, pester, annoy, bug, solicit, ping, notify, disturb, reach out, reach out to, hit up, hit me up, whatsapp, phone, dial, mail, follow up, follow up with, check in, check in with, nag, hound, chase, pitch, advertise, be contacting, be bothering, be calling, be sending, try to contact, try to call, try to reach, be texting, be calling, be contacting, be emailing, be messaging, keep texting, keep calling, keep messaging, keep emailing, keep contacting, keep sending, continue to text, continue to call, continue to contact, continue to email',
    es: 'escriban?, escribas, escribirme, escribir, escribirnos, manden?, mandes, mandarme, mandar, mandarnos, envien?, envies, enviarme, enviar, enviarnos, llamen?, llames, llamar, llamarme, llamarnos, contacten?, contactes, contactar, contactarme, contactarnos, molesten?, molestes, molestar, molestarme, texteen?, textees, textear, textearme, notifiquen?, notifiques, busquen?, fastidien?, acosen?, hostiguen?, esten? llamando, esten? mandando, esten? escribiendo, esten? molestando, escribais, llameis, mandeis, envieis, contacteis, molesteis, esten? enviando, estes llamando, estes mandando, estes escribiendo, insistan?, hablen?, marquen?',
  },
  /** The author, or their phone, as the one who is contacted. */
  whom: {
    en: 'me, us, this number, this phone, this line, this email, my number, my phone, my cell, my email, my inbox, my home, my house, my wife, my husband, my mother, my mom, my father, my dad, my family, my work, my job, here, no more, again, ever, at all, any longer',
    es: 'mas$, a este numero, a mi numero, nunca mas, nunca, otra vez, de nuevo, aqui',
  },
  /** Words over which a request does not reach: what joins sentences, other persons, and other things that end. */
  apart: {
    en: 'and, but, until, till, if, when, because, cuz, so, unless, then, than, i, we, they, he, she, who, before, after, while, where, why, how, what, showings?, tours?, appointments?, visits?, leases?, contracts?, offers?, prices?, rent, mortgage, hoa, inspections?, sale, sellers?, buyers?, tenants?, landlord, water, rain, noise, light, sign, bus, train, payments?, closing, escrow, keys?, contractors?, is, are, was, were, do, did, got, use, read, check, to my, to the, to him, to her, to them, to our',
    es: 'y, pero, hasta, si, cuando, porque, aunque, donde, citas?, visitas?, contratos?, renta, alquiler, hipoteca, ofertas?, precios?, venta, vendedor, comprador, inquilinos?, agua, ruido, lluvia, llaves?, es, son, estan, tengo, tiene',
  },
  /** What one message contains, and is not our messages. */
  item: {
    en: 'code, address, link, docs?, documents?, contract, keys?, price, photos?, pictures?, pics?, report, offer, papers?, paperwork, details, time, invoice, bill, file, pdf, form, lease, addendum, disclosures?, number, password, check, money, deposit',
    es: 'codigo, direccion, enlace, documentos?, contrato, llaves?, precio, fotos?, reporte, oferta, papeles, detalles, factura, recibo, archivo, formulario, cheque, dinero, deposito',
  },
  ending: {
    en: 'stop, stopp, stop with, quit, cease, cease and desist, cease and desist from, stop and desist, discontinue, halt, no more, no further, no additional, enough, enough with, enough of, turn off, shut off, knock off, cut out, refrain from, desist from, done with, tired of, sick of, fed up with, sick and tired of, put an end to, over it with, pause, suspend, kill, zero, cut off, cut, switch off, deactivate, shut down, block, disable, terminate, stopping, dont need any more, unsubscribe, unsubscribe me from, unsubscribe from',
    es: 'dejad de, parad de, parad, parenle con, parale con, parele con, parenle a, deja de, deje de, dejen de, dejar de, dejes de, pare de, paren de, parar de, para de, para con, paren con, pare con, paren, pare, detener, detenga, detengan, basta de, basta ya de, basta con, basta ya con, ya basta de, ya basta con, cese, cesen, cesar, no mas, ya no mas, harto de, harta de, cansado de, cansada de, suspenda, suspendan, suspender, eviten?, alto a, alto, stop, stop a, terminen con, cancelen?, cancela, desactiven?, desactivar',
  },
  not: {
    en: 'do not, dont, don t, dnt, donot, dont you, never, no longer, not to, must not, may not, should not, shouldnt, cannot, cant, can not, would rather not, rather you not, rather you didnt, prefer you not, prefer that you not, not going to, no, aint, without my permission, do nt, u cant, stopped, wont, will not, wouldnt, would not',
    es: 'no, ni, ya no, nunca, jamas, nunca mas',
  },
  wanting: {
    en: 'be needing, be wanting, needing, be interested in, want, wanting, wanna, wish, wishing, like, care for, care about, need, consent to, agree to, agreed to, authorize, authorized, approve, accept, appreciate, desire, interested in, sign up for, signed up for, subscribe to, subscribed to, ask for, asked for, request, requested, opt in to, opted in to, opt into, opted into, opt in for, asked, interest in',
    es: 'ocupo, ocupamos, hacen? falta, quiero, queremos, deseo, deseamos, necesito, necesitamos, quisiera, me gustan?, me gustaria, autorizo, autorice, autorizamos, acepto, doy permiso, doy mi permiso, doy mi consentimiento, doy autorizacion, di permiso, di mi consentimiento, estoy de acuerdo con, me interesan?, estoy interesado en, estoy interesada en, pedi, solicite, me inscribi a, me suscribi a',
  },
  wish: {
    en: 'contacted, called, texted, messaged, emailed, bothered, spammed, solicited, disturbed, harassed, notified, on your list, on this list, on the list, on any list, hear from you, hear from your, hear from yall, hear from u, hearing from you, hearing from your, hearing from yall, hearing from u, hear from any, hear from anyone, hear from anybody, talk to you, talking to you, talk with you, deal with you, dealing with you, sent to me, sent to us, sent to my phone, sent to this number, listings sent, homes sent, houses sent, anything from you, anything to do with you, text me, call me, contact me, email me, message me, bother me, part of this, a part of this, participate, participating, be included, to participate, to be included',
    es: 'contactado, contactada, contactados, llamado, llamada, molestado, molestada, saber nada, saber de ustedes, saber mas, sigan, nada de ustedes, nada con ustedes, nada mas de ustedes, estar en su lista, estar en la lista, estar en esta lista',
  },
  removing: {
    en: 'take, taking, rm, rmv, rmve, remov, rem, tk, tke, remove, removing, removed, removal of, delete, deleting, deleted, erase, erased, drop, scrub, pull, get, strike, purge, wipe, lose, unlist, discard, cross, scratch, unfollow, suppress, blacklist, exclude, eliminate, unsave, forget, clear, unregister, deregister, block, unenroll, disenroll, cut',
    es: 'cancelen?, cancela, quiten?, quita, quitar, borren?, borra, borrar, eliminen?, elimina, eliminar, saquen?, saca, sacar, remuevan?, remover, retiren?, retirar, olviden?, olvida, den de baja, dar de baja, dar de baja a, bajen?, bajar, tachen?, tachar',
  },
  /** The author in our records. */
  myself: {
    en: 'me, us, my number, my phone number, my phone, my cell number, my cell, my mobile number, my contact, my contact info, my contact information, my info, my information, my personal information, my personal info, my name, my name and number, my email, my email address, my e mail, my data, my personal data, my details, my records?, this number, this phone number, this phone, this email, this email address, this address, this line, this contact, my digits, my contact details, myself, our number, our info, our information, our name, our names, all my info, all my information, all my data, number, my wife, my husband, my mom, my mother',
    es: 'me, nos, mi numero, mi telefono, mi numero de telefono, mi contacto, mi nombre, mis datos, mi informacion, mi correo, mi email, este numero, este telefono, nuestro numero, todos mis datos',
  },
  /** Spanish joins the verb with the person. */
  removesMe: {
    en: 'unsub me, unsubscribe us',
    es: 'cancelenme, canceleme, cancelame, bajame, bajeme, bajenme, bajanos, bajenos, tachame, tacheme, tachenme, descartenme, quitarme, quitarnos, borrarme, eliminarme, sacarme, removerme, retirarme, desuscribirme, quitadme, borradme, sacadme, eliminadme, quiten?me, quitame, quitenos, quiten?nos, borren?me, borrame, eliminen?me, eliminame, saquen?me, sacame, remuevan?me, remueveme, retiren?me, retirame, desuscriban?me, desuscribeme, dejen?me fuera',
  },
  /** Where our records are. */
  place: {
    en: 'them, list, lists, thing, things, database, data, base, system, systems, records?, contacts?, crm, phone, phones, phonebook, texts?, text, messages?, msgs?, emails?, email, mailing, mailings, mail, mailer, chain, thread, group, groups, chat, chats, campaigns?, files?, directory, rolodex, here, this, these, it, it all, everything, all, distribution, sms, service, marketing, calling, call, calls, auto, autodialer, subscription, subscriptions, newsletter, newsletters, sheets?, roster, book, registry, log, spreadsheet, spam, whatever, rotation, queue, automated, automatic, notifications?, alerts?, updates?, whatsapp, future, any, drip, contact, communications?, broadcast, yours, receiving, getting, promotions?, promotional, texting, do, dnc',
    es: 'lista, listas, base, sistema, sistemas, registro, registros, contactos, aqui, grupo, todo, todos, agenda, telefono, directorio, esto, mensajes, textos, correos, llamadas, esta, este, ahi, promociones, publicidad, notificaciones, datos, whatsapp, envios',
  },
  owning: {
    en: 'the, your, ur, this, that, these, those, all, all of, any, my, of, from, every, further, future, more, sales, whatever, dang, damn, fucking, stupid, company, companys, weekly, daily, real estate, phone, text, call, calling',
    es: 'la, el, los, las, su, sus, tu, tus, esta, este, estos, toda, todas, todos, esa, ese',
  },
} as const

type Class = keyof typeof table

/** The words of a class, as an alternative for a pattern. The longest come first, so that what follows is none of them. */
export const either = (name: Class): string => `(?:${phrasesOf(name).join('|')})`

/** The words and phrases of classes, the longest first. */
export const phrasesOf = (...names: Class[]): string[] =>
  names
    .flatMap((name) => `${table[name].en}, ${table[name].es}`.split(', '))
    .toSorted((a, b) => b.length - a.length)

/** A word between two of a request, as in `stop (sending me these) texts`: any that a request reaches over. */
export const between = `(?!${either('apart')}\\b)\\w+`
