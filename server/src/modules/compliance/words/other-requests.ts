import type { Sentence } from './plain-words.ts'
import { either } from './vocabulary.ts'

const w = { polite: either('polite') }

/** The person wants our messages again. */
const again = new RegExp(
  `\\b(?:start|resume) (?:my |the |those |your )?(?:texts|messages|alerts|emails|updates) (?:again|back up)\\b|\\bunstop (?:me|my|us|this)\\b|\\bsign (?:me |us )?back up\\b|\\bsign up again\\b|^(?:${w.polite} )*alta (?:otra vez|de nuevo|nuevamente)\\b|\\bvuelv(?:a|an|as|e) a (?:inclu|agreg|suscrib|inscrib|anot|mandar|enviar)\\w{0,6}\\b|\\b(?:re ?subscribe|subscribe|sign|opt|add|put|turn) (?:me|us|them|it|my number) (?:back )?(?:again|back|in again|back in|up again|on again|back on)\\b|\\bopt (?:me )?back in\\b|\\b(?:start|resume|restart) (?:texting|sending|messaging|emailing) (?:me |us )?(?:again|\\w+ again|texts again|messages again)\\b|\\b(?:resume|restart) (?:my |the |your )?(?:texts|messages|alerts|emails|subscription)\\b|\\b(?:want|like) (?:to )?(?:get|receive|start getting|start receiving) (?:your |the |these |my )?(?:texts|messages|emails|alerts|updates) again\\b|\\b(?:quiero|quisiera|deseo|me gustaria) (?:volver a |otra vez |de nuevo )(?:recibir|suscribirme)\\b|\\brecibir (?:\\w+ )?(?:mensajes|alertas|correos) (?:otra vez|de nuevo|nuevamente)\\b|\\b(?:suscrib|inscrib|agreg|reactiv|anot)\\w{0,6} (?:me |mi numero |mis mensajes |los mensajes )?(?:otra vez|de nuevo|nuevamente)\\b|\\breactiv(?:e|en|a|ar) (?:mi|mis|los|sus)\\b|\\b(?:stop|unsubscribed?|opted out|opt out) by (?:accident|mistake)\\b.{0,80}\\b(?:back|again|resume|start)\\b`,
)

/** `Stop!` as an exclamation of delight. */
const delight =
  /\b(?:love|loving|gorgeous|amazing|hilarious|beautiful|stunning|cute|adorable|funny|dream|dreamy|perfect|obsessed|wow|haha\w*|lmao|incredible|wild|insane|kidding|dying|dead|crying|blushing|hermos\w|preciosa|encanta|no way)\b/

/** About one home or one way, and not about us. */
const ordinary = new RegExp(
  `\\b(?:keep (?:sending|them coming|looking|me|us|texting)|send (?:me |us |over )?(?:more|others|other|another|some)|what else|show (?:me|us)|(?:the )?others?|anything else|only|interested in (?!selling|buying|moving|listing|your|ur|it|this$|that$|any|anything|talking|working|real|being|getting|receiving|these|texts|what)\\w+|(?:something|anything|algo|one) (?:else|bigger|smaller|closer|cheaper|newer|nicer|mas)|too (?:small|big|far|expensive|old|pricey|high|close|dark|noisy|busy)|muy (?:pequen\\w|car[ao]|lejos|grande|viej[ao])|tiene[ns]? otr[ao]s?|(?:that|this|the first|the second|the other|the last) (?:one|house|home|listing|place|property|condo|area|neighborhood|street|lot)|(?:mand|envi|muestr|ensen)\\w{1,5} (?:mas|otr\\w{1,2})|es[ao](?: casa| una)?|est[ae] casa|otr[ao]s?|but (?:send|show|what|do you|still|please)|pero (?:mand|envi|muestr)\\w{1,5})\\b`,
)

const review = new RegExp(
  `\\b(?:(?:not|no longer|isnt|arent|aint|not really|never|not at all|neither) (?:\\w+ )?(?:interested|looking|in the market|buying|selling|house hunting|searching|for sale)|no interest|lost interest|no thanks?|no thank you|no thx|nah thanks|no ty|ill pass|i ll pass|we ll pass|well pass|hard pass|pass on this|not for (?:me|us)|no gracias|no me interesan?|no nos interesa|no estoy interesad\\w|no estamos interesad\\w{1,3}|ya no (?:estoy|estamos) (?:interesad\\w{1,3}|buscando)|ya no (?:busco|buscamos|me interesa)|perdi el interes|already (?:bought|sold|have|has|got|found|under contract|closed|working|signed|own|purchased|rented|leased|listed|hired|using)|(?:have|has|got|found|hired|using|signed with) (?:an?|our own|my own|another|a different) (?:\\w+ )?(?:agent|realtor|broker)|went with (?:another|someone|a different)|working with (?:another|someone|a|an|my)|found (?:a|another|our) (?:house|home|place|apartment|condo)|(?:bought|purchased|sold|rented|closed on) (?:a|our|the|my|another) (?:\\w+ )?(?:house|home|place|condo|apartment|property)|ya (?:compre|compramos|tengo|tenemos|vendi|vendimos|rente|rentamos|encontre|encontramos|conseguimos|consegui) (?:\\w+ )?(?:casa|agente|departamento|una|un|otra|otro|mi|la)|(?:tengo|tenemos) (?:un |una |otro |otra |nuestro |mi |mi propio )?(?:agente|realtor|corredor|corredora)|not (?:right now|now|at this time|at the moment|ready$|ready yet|ready to (?:buy|sell|move|list|talk)|today|this year|yet ready)|maybe (?:later|next year|another time|some other time|in the future|in a few)|some other time|changed (?:my|our) minds?|quizas? (?:mas tarde|despues|luego|otro)|tal vez (?:mas tarde|despues|luego|otro)|ahora no|ahorita no|por ahora no|por el momento no|no por ahora|mas adelante|en otro momento|cambie de opinion|cambiamos de opinion|too many (?:texts?|messages?|emails?|calls?|notifications?)|(?:text|message|email|call|contact|write)(?:ing|s)? (?:me |us )?(?:too (?:much|often)|so much|so often|less|less often|less frequently|once a|a lot less)|(?:fewer|less) (?:texts?|messages?|emails?|calls?|notifications?|frequent)|slow down (?:on|with)|(?:demasiados|muchos|tantos|menos) (?:mensajes|correos|textos|llamadas)|(?:demasiadas|muchas|tantas) llamadas|menos seguido|this is spam|^spam$|^scam$|this is a scam|es spam|es una estafa|harass\\w{0,5}|passed away|is deceased|died|fallecio|murio|hold off|mejor no|olvidelo|olvidalo|forget it|are you kidding me|worst review|what time it is|una verguenza|get off this|double messages|two of every|no lleguen|solo uno por|quien (?:te|le|les|os) dio mi|(?:how|what) (?:do|can|should) i (?:text|send|say|type)|texting policy|who gave you (?:my|this)|how did you get (?:my|this)|where did you get (?:my|this)|quien (?:te|le|les) dio mi numero|como (?:consiguio|consiguieron|obtuvo|obtuvieron) mi numero|take a break|taking a break|need a break|(?:fewer|less) of (?:these|them)|worst (?:agent|realtor|company|service|experience)|ridiculous|unprofessional|disgusting|unbelievable|pathetic|shameful|so rude|(?:lawyer|attorney) will be (?:in touch|contacting|hearing)|from my (?:lawyer|attorney)|legal action|lawsuit|sue you|(?:im|i am|we are|were|were all) (?:so |all )?done$|falta de respeto|que verguenza|a estas horas|at this hour|christmas (?:morning|eve|day)|thanksgiving (?:morning|day)|mi abogado|demanda|demandar|de donde (?:saco|sacaron|sacaste|obtuvo|obtuvieron|tiene|tienen) mi|cancel (?:everything|all|all of it|it all)|cancel\\w{1,3} todo|(?:maybe|perhaps|might|think about|thinking about|quizas|tal vez) (?:\\w+ )?(?:stop|unsubscribe|opt out|pause)|stop for (?:a while|now|a bit)|pause (?:for|the|my|until)|unsure if)\\b`,
)

const wrongNumber = new RegExp(
  `\\b(?:wrong (?:number|numbers|person|people|phone|guy|lady|man|woman|num|nbr|girl|dude|recipient|party|phone number)|not the (?:right|correct) (?:number|person)(?! for| to)|(?:dont|do not) (?:have|got) the right (?:number|person)|(?:new|different) owner of this (?:number|phone)|(?:no one|nobody|noone|no body|not anyone) (?:\\w+ )?(?:here |at this number |on this number )?(?:by|named|with) (?:that name|the name|this name|named \\w+|(?!that|the|this|a|an)\\w+$)|nobody named \\w+|no (?:\\w+ )?(?:here |at this number )?(?:by|with) (?:that|this) name|(?:theres|there is|there s) no \\w+ (?:here|at this number|on this number)|no \\w+ (?:here|at this number|lives here)|this (?:is|isnt|is not|aint) (?:not )?(?:the )?\\w+s? (?:number|phone|cell)(?: number)?(?: anymore| any more| any longer)?|(?:no longer|not|isnt|is not|aint) (?:\\w+ )?(?:number|phone)(?: anymore| any more)?|(?:has|had|have) (?:a )?new number|changed (?:his|her|their) number|(?:doesnt|does not|dont|no longer) (?:\\w+ )?(?:has|have|own|owns|use|uses|live|lives|work|works|reside)(?: at)? (?:this number|this phone|here|at this number)(?: anymore)?|(?:dont|do not|dunno|never) (?:know|knew|heard of|met) (?:any |a |anyone named |anybody named |who |no )?(?!(?:when|if|how|what|why|where|whether|yet|about|the|much|anything|it|you|your|that|this)\\b)\\w+$|(?:i am|im) not (?!(?:interested|sure|ready|looking|going|able|available|selling|buying|home|there|in|a|an|the|at|happy|able|feeling|working|moving|free|comfortable|getting|trying|really|too|so|very|that|good|on|your|his|her|opposed|picky|afraid|worried|kidding|gonna|planning|familiar|currently|yet|doing|from|up|his|asking|seeing|convinced|certain|aware|receiving|done|for|to|joking|into|as|allowed|qualified|approved|pre|quite|all|alone|against|even|just|using|signing|paying|renting|dealing|wanting|living|here|near|around|back|coming|stopping|local|rich|married|single|english|over|under|off|one|taking|leaving|changing|answering|responding|sick|hiring|only|with|surprised|impressed|attached|set|budging|willing|waiting|thinking|crazy|fully|much|ok|okay|well|fine|driving|texting|calling|asking|saying|telling|talking|sold|following|understanding|mad|upset|angry|shopping|searching|hearing|concerned|bothered|opting|unsubscribing)\\b)\\w+$|this (?:isnt|is not|aint|not) (?!(?:what|a|an|the|working|fair|right|ok|okay|good|my|our|true|funny|necessary|correct|it|for|about|acceptable|helpful|spam|him|her|legal|possible|urgent|cool|easy|enough|over|fun|in|on|at|an|how|where|why|that|too|so|very|clear|happening|loading|new|really|yet|ready|available)\\b)\\w+(?: \\w+)?$|this (?:isnt|is not) (?:him|her)|meant (?:to (?:text|message|call|reach|contact)|for) (?:someone|somebody|a different|another)\\b|had this number (?:for )?(?:\\w+ ){0,3}(?:years?|months?)|confundi\\w{1,4} de (?:persona|numero)|numero equivocado|persona equivocada|(?:esta|estas|estan|se ha|te has|se) equivoc\\w{1,6}(?: de (?:numero|persona))?|te equivocaste(?: de numero)?|numero (?:incorrecto|erroneo|mal)|no soy (?!(?:yo|el que|la que|dueno|duena|agente|de|muy|un|una|el|la|tan)\\b)\\w+$|no conozco a (?:ningun|ninguna|nadie|ese|esa|esa persona|la|el|\\w+)|no es (?:el|mi|su) numero|(?:este|ese) no es (?:el |su |mi )?(?:numero|telefono|celular)|(?:aqui )?no (?:hay|vive|existe|esta) (?:ningun|ninguna|nadie|ese|esa) \\w+|aqui no (?:hay|vive|es|esta) \\w+|ya no (?:es|tiene|usa) (?:su|este|el|ese) numero|no es la persona)\\b`,
)

/** A wrong number that is not the one we wrote to. */
const otherNumber =
  /\b(?:wrong (?:number|phone number) (?:of|on|in|for the|listed)|(?:i|we|ive|weve|he|she|they) (?:may |might |just |accidentally |must |have |had |think i )?(?:gave|put|typed|wrote|entered|listed|have|had|called|dialed|texted|got) (?:you |down |in |your |them |him |her )?(?:the |a )?wrong (?:number|phone number)|(?:i|we) (?:gave|put|typed|wrote|entered|called|dialed|texted))\b/

/** An ending without an object, which may be about an appointment. */
const unclear = new RegExp(
  `^(?:${w.polite} )*(?:cancel it|cancel this|cancel that|end it|end this|dont|do not|cancelalo|cancelelo|terminelo|terminalo|cancela esto)(?: ${w.polite})*$`,
)

/** Whether words ask for our messages again. */
export const wantsAgain = (words: string): boolean =>
  again.test(words) && !/\b(?:dont|do not|never)\b|\bno (?:quiero|me)\b/.test(words)

/** Whether what ends was ended without intent. */
export const isByAccident = (words: string): boolean =>
  /\bby (?:accident|mistake)\b|\baccidentally\b|\bsin querer\b|\bpor error\b/.test(words)

/** Whether a `Stop!` is an exclamation of delight. */
export const isDelight = (words: string): boolean => delight.test(words)

/** Whether words are about one home or one way, and not about us. */
export const isOrdinary = (words: string): boolean => ordinary.test(words)

/** Whether words turn something down, complain, or leave open what is to end, so that a person must read them. */
export const needsReview = (words: string): boolean =>
  (review.test(words) || unclear.test(words)) && !ordinary.test(words)

export const isWrongNumber = (words: string): boolean => wrongNumber.test(words) && !otherNumber.test(words)

/** Whether the sentences cry for help about our messages, and not about a home. */
export const asksForHelp = ([first, ...more]: readonly Sentence[]): boolean =>
  first !== undefined &&
  [first.clauses[0], first.words].some(
    (one) => one !== undefined && /^(?:help|help me|info|ayuda|ayudame|ayudeme)$/.test(one),
  ) &&
  /\b(?:what is this|whats this|this service|service|who is|who are|servicio|que es esto|quien es|no entiendo|these messages|estos mensajes)\b/.test(
    [first, ...more].map(({ words }) => words).join(' '),
  )
