import { between, either } from './vocabulary.ts'

/** The patterns see plain words, so a person’s words are written in them as they remain: `dont`, `manana`. */
const w = {
  thing: either('thing'),
  doing: either('doing'),
  do: either('do'),
  whom: either('whom'),
  between,
  ending: either('ending'),
  not: either('not'),
  wanting: either('wanting'),
  item: either('item'),
  wish: either('wish'),
  polite: either('polite'),
}

const tail =
  '(?: (?:please|now|already|thanks|thank you|everyone|immediately|asap|it|this|that|all|all of it|ok|okay|today|forever|for good|for real|period|por favor|ya|gracias|altogether|right now|once and for all|completely|me|again|then|bro|man|dude))*'

/** Not from the list of somebody else. */
const fromOthers =
  '(?! from (?:the |my |that |all the |every )?(?!you|your|ur|this|these|here|it|list|text|message|email|mailing|newsletter|alert|notification)\\w)'

/** Not the messages of somebody else. */
const fromUs =
  '(?! (?:from|by) (?:the |my |a |any )?(?!you|u|your|ur|yall|this|these|any|anyone|here|now|realtors?|agents?|real|people|companies|company|strangers|everyone|all|unknown)\\w)'

const always = [
  // A prescribed word repeated, whatever else there is
  `\\b(?:stop|alto|basta|unsubscribe) (?:stop|alto|basta|unsubscribe)\\b`,
  `\\bni (?:un|una) (?:solo |sola )?(?:mensajes?|llamadas?|textos?|correos?) mas\\b`,
  `\\b(?:(?:dont|do not|never) (?:please )?(?:ask|keep asking)(?: (?:me|us))? (?:again|anymore|any more)\\b|(?:quit|stop|not keep|dont keep) asking(?: (?:me|us))?(?: again| anymore| any more| if (?:i|we) (?:want|wanna|would)| about (?:it|selling|buying|my house|this)| please|$))`,
  `\\b(?:can|could|would|will) (?:you|u|yall|you guys|you people) (?:please |just )?not ${w.do}(?: me| us| this number)?(?: again| anymore| any more| ${w.polite})*$`,
  `^(?:(?:and |or )?no (?:more )?(?:${w.thing})(?: |$)){2,}`,
  `(?:^|\\b(?:please|pls|and|so|just|minutes) )(?:stop|quit|end) (?:em|these|those)(?: ${w.polite})*$`,
  `\\b(?:remove|delete|erase|drop|take) (?:both (?:of )?)?(?:her|his|their|my|our|this|these|moms|dads|my moms|my dads|my mothers|my wifes|my husbands) (?:\\w+ )?(?:numbers?|phones?|cell)(?: (?:off|out)\\b(?! (?:of |from )?the (?!list|text))|(?: (?:of|from) (?:it|there|here|this|your \\w+|the list))?(?: ${w.polite})*$)`,
  `\\bnumber (?:\\w+ ){0,4}(?:delete|remove|erase|lose|forget) it\\b`,
  `\\btake (?:me|us|my (?:number|name)) off (?:of )?(?:there|here|that|it)\\b`,
  `^(?:${w.polite} |i |we |just )*(?:want|get me|let me|take me|wanna) out of (?:the|this|your|these|all these) (?:\\w+ )?(?:lists?|texts?|messages|thread|chain|group|chat|loop)\\b`,
  `\\b(?:knock it off|cut it out)(?: ${w.polite})*$`,
  `\\bforget (?:that )?(?:you|u) (?:ever )?(?:had|have|got|know|knew) (?:me|us|my number|this number)\\b`,
  `^(?:${w.polite} |i |we |just |really )*(?:want|wanna be|get me) off(?: ${w.polite})*$`,
  `\\bno more of (?:these|this|those|them|your (?:${w.thing}))\\b`,
  `\\b(?:remove|delete|erase|take) it (?:from|off|out of) (?:of )?(?:your|ur|the) (?:\\w+ )?(?:system|lists?|records|database|files|contacts|phone|${w.thing})\\b`,
  `^(?:${w.polite} )*(?:remove|delete|drop|erase|strike|off|unlist) (?:from|off|of|out of) (?:the |your |this |all |any |ur )*(?:\\w+ )?(?:distribution|lists?|database|crm|system|records|mailings?|contacts|${w.thing})\\b`,
  `\\b(?:any (?:further|more|other)|another|one more) (?:${w.thing}) (?:and|or) (?:i|we|ill|im|my)\\b`,
  `\\b(?:attorney|lawyer|police|ftc|fcc|bbb|attorney general|sue|suing|complaint|legal action|report (?:you|this|it)|reporting (?:you|this))\\b.{0,60}\\b(?:(?:this|it|these|you|they|messages?|texts?|calls?) (?:continues?|keeps?|keep up|dont (?:cease|stop|end|quit)|doesnt (?:cease|stop|end|quit)|persists?)|another (?:text|message|call|one))\\b`,
  `\\bnext (?:text|message|call|one|email) (?:goes|gets|is going|will go|will be (?:sent|reported|forwarded)) (?:straight )?(?:to|forwarded|reported)\\b`,
  `\\bya no (?:quiero|queremos|deseo) (?:recibir|ver|que me (?:manden|envien|escriban|llegue|lleguen)) (?:esto|eso|nada|mas|estos|estas|mensajes|los|las)?(?: ${w.polite})*$`,
  `\\bme siguen? (?:llegando|mandando|enviando|escribiendo|llamando|molestando)\\b.{0,40}\\bparen?\\b`,
  `\\b(?:i|we|me|us|my number|number|name) (?:\\w+ ){0,7}(?:to be|be|get|been|was|getting|gotten) (?:removed|unsubscribed|taken off|deleted from|opted out)\\b(?! (?:from|off) (?:the|our|my) (?:title|deed|lease|loan|mortgage|contract|application))`,
  `\\b(?:if|the next time|next time) (?:you|u|i|anyone|yall) (?:\\w+ ){0,4}(?:text|call|message|contact|email|get) (?:\\w+ ){0,3}(?:again|one more|another|anymore)\\b|\\b(?:text|call|message|contact|email) (?:me|us) (?:again|one more time|1 more time) (?:and|or) (?:i|we|im|ill|well|ima|youll)\\b`,
  `\\b(?:knock|cut|cool) it (?:off|out) (?:with|already)\\b`,
  `\\b(?:olvid|borr|elimin|quit|pierd|saqu)\\w{0,6} (?:de |a )?(?:mi|este|nuestro) (?:numero|telefono|celular|contacto|correo)\\b`,
  `\\b(?:stop|quit|no more|cancel|end) (?:${w.between} ){0,4}listings(?: ${w.polite})*$`,
  `\\b(?:my|this|our) (?:\\w+ )?(?:number|name|info|information|contact|email|data|phone|details|records?|address) (?:\\w+ )?(?:be )?(?:deleted|removed|erased|taken off|unsubscribed|taken out)\\b`,
  `\\b(?:turn|shut|switch|cut) (?:these|them|those|this|it all|all of (?:this|these)|all this) (?:\\w+ )?off\\b`,
  `\\b(?:stop|quit|cut) (?:it )?(?:with|out) (?:the|these|this|all|your|those) ?(?:${w.thing}|${w.doing}|$)`,
  `\\b(?:let|make|makes?|be|have) (?:this |it |that |be |sure )*(?:the |your |my )last (?:text|message|call|email|one|time you|contact)\\b|\\bultim[oa] (?:mensaje|llamada|texto|vez que)\\b`,
  `\\b(?:lose|forget|delete|erase|trash|remove|drop) the (?:number|digits|contact)\\b|\\bget rid of (?:my|this|the) (?:number|phone|contact|info|name)\\b`,
  `\\b(?:cancelacion|eliminacion|baja|supresion|borrado|remocion) de (?:mis|mi|este|nuestros?) (?:datos|numero|telefono|celular|contacto|correo|suscripcion|nombre|informacion|registro)\\b`,
  `\\b(?:que|q) (?:ya )?(?:me|nos) (?:borr|quit|saqu|elimin|retir)\\w{1,6}(?:$| (?:ya|por favor|de|del|porfa)\\b)`,
  `\\b(?:stop|quit) (?:getting|receiving|having) (?:these|those|this|them|your|any of)\\b`,
  `\\b(?:ask|asked|asking|want|like|need|request\\w{0,3}|demand) (?:\\w+ ){0,3}to be (?:taken off|removed|left alone(?! for (?:a|an|this|the|\\d))|unsubscribed|deleted|taken out)\\b(?! (?:from|off|of|out) (?:of )?(?:the|our|my) (?:title|deed|lease|loan|mortgage|contract|application|market))`,
  `\\b(?:make|get|have|for) (?:you|u|yall|this|these|those|them|it|your) (?:\\w+ ){0,3}(?:to )?(?:stop|end|quit|cease)(?: ${w.polite})*$`,
  `\\b(?:next|another|one more|1 more) (?:\\w+ )?${w.thing} (?:\\w+ ){0,9}(?:lawyer|attorney|police|cops|court|report\\w{0,3}|block\\w{0,3}|sue|suing|complaint|ftc|fcc)\\b`,
  `\\b(?:you|u|ur|youre|yall) (?:\\w+ ){0,3}blocked\\b|\\bblock list\\b|\\breport\\w{0,3} (?:you|u|ya|yall)\\b`,
  `\\bwrong (?:number|person) (?:\\w+ ){0,4}(?:remove|delete|erase|take off|unsubscribe|lose)(?: me| it| this)?(?: ${w.polite})*$`,
  `\\b(?:not|dont|never|stop|quit) us(?:e|ing) (?:this|my) (?:\\w+ )?(?:number|phone|line|cell)(?: ${w.polite}| again| anymore)*$`,
  `\\b(?:no more|enough) (?:\\w+ ){0,2}(?:stuff|crap|junk|bs)(?: ${w.polite})*$`,
  `\\b(?:denos|dieran?|dieras|dennos) (?:\\w+ )?de baja\\b(?! (?:el|la|los|las) (?!list))|\\bprohib\\w{1,4} (?:que )?(?:me )?(?:llam|contact|escrib|mand|text)|\\b(?:hart|cansad)[oa]s? (?:de|con) (?:\\w+ ){0,3}(?:mensaj|textos?|llamad|correos)`,
  `\\b(?:never|didnt|did not) (?:opt|opted|sign|signed|join|joined)(?: (?:in|up|for|to|this|that|these|it|any|your|list|of|the))*$`,
  `\\b${w.not} (?:add|include|put|keep|leave) (?:me|us|my number|this number) (?:in|on|to|with) (?:these|this|it|(?:\\w+ ){0,3}(?:lists?|database|${w.thing}))\\b`,
  `\\b(?:stop|leave|end|quit) (?:this|the) (?:thread|chat|group|group chat|text thread)(?: ${w.polite})*$|\\b(?:so|please|just|and) stop (?:trying|asking)(?: ${w.polite})*$`,
  `\\b(?:as|on|to|for|your|the) (?:a |the |your )?(?:dnc|do not (?:call|contact|text)|no contact)\\b|\\bmake me (?:call|contact|get) (?:my|a|an|the) (?:lawyer|attorney|police)\\b`,
  `\\bwhen (?:does|will) (?:this|these|these texts|the texts|the messages) (?:\\w+ )?(?:stop|end)$`,
  `\\b(?:dont|do not|never) (?:ever )?do (?:it|this|that) again\\b|\\b(?:kindly|please|pls) (?:remove|delete|unsubscribe) (?:her|him|them)(?: ${w.polite})*$|^(?:${w.polite} |i |we |just )*want out(?: ${w.polite})*$`,
  `\\bque parte de (?:no|alto|stop|basta)\\b|\\b(?<!\\b(?:si|error) )(?:puse|mande|escribi|respondi|conteste|dije|envie) (?:\\w+ )?(?:stop|alto|baja|basta|cancelar)\\b`,
  `\\bme (?:pued|podr)\\w{1,5} (?:quitar|sacar|borrar|eliminar)(?: de (?:los|las|sus?|est[aeo]s?) \\w+| ${w.polite})*$`,
  `\\bno more (?:\\w+ ){1,4}(?:to|on) (?:this|my) (?:cell|number|phone|line|email)\\b|\\bno se comuniqu\\w{1,3}\\b|\\b(?:dont|do not|no longer) (?:want|wish|care|need) to (?:receive|get) (?:these|your)\\b`,
  `^(?:alto|basta) (?!cost|presup|ahi|nivel|riesgo|y\\b|en\\b|de\\b|con\\b|preci|tech|trafic|la\\b|el\\b)\\w+$`,
  // What is no longer wanted
  `\\b(?:${w.thing}|these|this|those|they) (?:\\w+ ){0,2}(?:not|no longer|isnt|arent|never) (?:\\w+ )?(?:wanted|needed|welcome|necessary|appreciated|requested|authorized)\\b(?! (?:to|by|until|before))|\\b(?:unwanted|unsolicited|unrequested) (?:\\w+ )?${w.thing}\\b`,
  `\\b(?:${w.not}|not|zero) (?:\\w+ ){0,2}(?:interest|interested|desire|intention|need|use) (?:${w.between} ){0,5}(?<! to )(?:${w.thing}|hear|hearing|receiving)\\b${fromUs}`,
  `\\b${w.not} (?:\\w+ )?(?:${w.wanting}) (?:these|this|those|them|any of (?:this|these|it))(?: (?:any ?more|any longer|again|${w.polite}))*$`,
  // What was asked before
  `\\b(?:tell|told|ask|asked) (?:you|u|yall) (?:\\w+ ){0,2}(?:to )?(?:stop|quit|unsubscribe)\\b|\\b(?:see|saw|get|got|read|receive|received|ignore|ignored|ignoring|honor|honoring|respect|miss|missed) my (?:stop|unsubscribe|opt out|removal)\\b`,
  `\\b(?:ask|asked|told|tell|request|requested|like|prefer|need|want|appreciate|please) (?:for )?(?:you |u |yall |it |them )?(?:if you )?(?:to )?(?:not to|to not|not|didnt|did not) ${w.do}\\b(?! (?:the|my|your) )`,
  `\\b(?:confirm|ensure|verify|make sure|check|see) (?:\\w+ ){0,2}(?:i am|im|ive been|i have been|we are|weve been|my number is|my name is|me) (?:\\w+ )?(?:removed|unsubscribed|opted out|taken off|deleted|off)\\b`,
  `\\b(?:cancel|stop|end|quit) (?:everything|anything|whatever|all|all that|what) (?:you|u|yall) ${w.do}\\b|\\b(?:stop|quit|cut|enough) (?:it )?with (?:the|these|this|all|your|that) (?:\\w+ ){0,3}(?:stuff|crap|nonsense|thing|bs|bullshit|shit|garbage|junk)\\b`,
  `\\blast time (?:you|u|yall) ${w.do}\\b|\\bgive it a rest\\b|\\bgoodbye blocking\\b`,
  `\\b(?:voy|vamos) a (?:bloquear|reportar|denunciar|demandar)(?:l[oa]s?|te|les?\\b|$| (?:este|ese|su|tu|sus|el (?:numero|spam))\\b)|\\bsend (?:me |us )?(?:nothing|no more)\\b`,
  `\\b(?:remove|take|delete|get) (?:me |us )?(?:off|from|out of) (?:the |your |this |ur |all )?(?:lists?|database|mailing list|system|contacts)\\b|^(?:${w.polite} )*off (?:the |your )?lists?\\b`,
  `\\breport\\w{0,3} (?:this|your|the|ur) (?:number|texts?|messages?)\\b`,
  `\\bleave (?:me|us) out of (?:this|these|it|your)\\b|\\bexclude (?:me|us|my number)\\b`,
  `\\b(?:texts?|text messages|messages|calls|contact|solicitation|solicitations|emails) (?:are|is) (?:not welcome|unwelcome|unwanted|not wanted|not appreciated|not allowed)\\b|\\bno (?:right|permission|business) (?:to )?(?:text|texting|contact|contacting|call|calling|message|messaging|email)\\w{0,3}\\b|\\bconsent (?:(?:to|for) (?:\\w+ ){1,4})?(?:is |has been |hereby )*(?:revoked|withdrawn|rescinded)\\b`,
  `\\b(?:molest|mensaj|llamad|acos|spam|texto)\\w{0,8} (?:\\w+ ){0,4}?(?:paren|pare|basta|detengan|dejen|parenle|ya)$`,
  `^(?:${w.polite} )*(?:la |mi |una )?baja (?:del|de) (?:servicio|la lista|lista|sistema|mensajes|este servicio|sus mensajes|los mensajes)\\b`,
  `\\b(?:if|want|wish|like|need|appreciate|grateful|please|hope) (?:\\w+ ){0,5}(?:texts|messages|emails|calls|contact|communication) (?:to )?(?:be )?(?:stop|stopped|end|ended|cease|ceased)\\b`,
  `^(?:${w.polite} )*(?:remove|erase|delete) (?:it|this|them)(?: ${w.polite})*$`,
  `\\b${w.not} (?:\\w+ )?(?:${w.wanting}) (?:to )?(?:get|getting|receive|receiving|see|seeing) (?:these|this|those|them|any of these|any|anything)(?: ${w.polite})*$`,
  `\\b(?:dont|do not|never) (?:ever )?(?:send|text|mail|message|email) (?:me |us )?(?:anything|nothing)\\b`,
  `\\bnot (?:authorized|allowed|permitted|welcome|supposed) to (?:${w.do})\\b`,
  `\\bque (?:ya )?(?:paren|pare|dejen|basta)$|\\banul\\w{1,4} (?:la |mi |esta )?suscripcion\\b`,
  `\\b(?:want|like|need|wish) (?:all )?(?:these|this|those|${w.thing}) (?:to )?(?:all )?(?:end|stop|be over|cease)$`,
  `^(?:${w.polite} )*(?:detengan?|detenga|paren|pare|dejen|deje|terminen|alto) (?:con |de |a )?(?:esto|eso|todo esto)(?: ${w.polite})*$`,
  `\\b(?:salir|salirme|fuera) de (?:la|su|esta|tu|sus|estas) (?:lista|listas|base|grupo)\\b`,
  `\\b(?:end|ending|cancel|cancelling|canceling) (?:${w.between} ){0,4}(?:texts?|messages|text messages|msgs|subscriptions?|emails|notifications|alerts|newsletters?|mailings?|sms|communications?|all contact|contact|spam|suscripcion|suscripciones|mensajes|notificaciones|correos|alertas)\\b`,
  `\\bcancel\\w{0,6} (?:la |mi |el |mis |los )?(?:suscripcion|suscripciones|mensajes|notificaciones|envio|envios|servicio de mensajes|registro)\\b`,
  `\\bno (?:quiero|queremos|deseo|deseamos) (?:mas|recibir|recibir mas|recibir nada|recibir nada mas|seguir recibiendo|mas nada|nada|nada mas|ser parte de esto|saber nada|saber nada mas|saber mas de \\w+)(?: (?:por favor|gracias|de \\w+))?$`,
  `\\b(?:want|need|demand|request|would like|id like|wish|ask|like|please) (?:${w.thing} |all |this |it |these |the |your |all of |for |that |to |you |be |me |my |number |u )*(?:stopped|removed|unsubscribed|opted out|off (?:the|this|your|ur) (?:list|lists|mailing list|text list|call list)|taken off|deleted from|put on (?:the|your) do not call|out of (?:this|these|your) (?:lists?|texts|messages|system|chat|thread|group|database|phone))\\b`,
  `\\b(?:revok\\w{1,3}|withdraw|withdrawing|withdrew|withdrawn|rescind\\w{0,3}|retract\\w{0,3}|take back|taking back) (?:my |all |any |the |prior |previous |express |written |of |our |this )*(?:consent|permission|authorization|opt in)\\b`,
  `\\b(?:do not|dont|never|didnt|did not|no longer|not|dont even|havent|have not) (?:have |give |gave |given |you |had |has |my |any |our |our |anyone |express |written )*(?:consent|permission|authorization)(?:$| (?:to|for|and|please|so|from|thank|you)\\b(?! (?:enter|sell|show|use|list|park|build|list|access|share|drive|run|pull)))`,
  `\\b(?:revoco|retiro|revocar|retirar|quito|cancelo) (?:mi |el |todo |todo mi |cualquier )*(?:consentimiento|permiso|autorizacion)\\b|\\bno (?:tienen?|doy|di|les doy|le doy|les di|tienes|hay) (?:mi )?(?:permiso|consentimiento|autorizacion)\\b`,
  `\\b(?:never|didnt|did not|dont remember|do not recall|dont recall) (?:ever )?(?:agree|agreed|agreeing|sign|signed|signing|subscribe|subscribed|ask|asked|asking|opt|opted|consent|consented|request|requested|authorize|authorized|requested) (?:up |in |to |for |on |you to |be |get |receive |getting |receiving )*(?:any |these |this|your |all |of |the |to |marketing |text |automated |spam|being )*(?:${w.thing}|contacted|texted|called|messaged|from you|$)`,
  `\\b(?:unsubscribe|unsubscribing|unsubscribed${fromOthers}|unsub|un subscribe|unsuscribe|unsubcribe|unsubscibe|unscribe|unsubscrib|unsuscribed|de subscribe|desuscri\\w{1,8}|desubscri\\w{1,8}|desinscri\\w{1,8})\\b`,
  `\\b(?:darme|darnos|dadme|dadnos|denme|deme|dame|dennos|den|dar|darse|quiero|solicito|pido|tramitar|me den|me de|me doy|ponganme|dar a mi numero) (?:la |mi |de |una |me )*baja(?:$| (?:por|de (?:la|su|sus|esta|este|estos|los|las|tu|el) (?:\\w+ )?(?:lista|servicio de|mensajes?|base|sistema|textos?|notificaciones|promociones|correos?|grupo)|del (?:sistema|servicio de|grupo)|mi numero|este numero|gracias|ya|inmediatamente|ahora|en la lista|en su lista|mi suscripcion|a mi numero)\\b)`,
  `\\b(?:leave|leaving|let) (?:me|us|my family|this number|my phone|my number|him|her)(?: and my \\w+)? (?:the \\w+ |tf |alone |all |be)*(?:alone\\b|be$)|\\bleave me be\\b`,
  `\\b(?:lose|loose|forget|burn|trash|throw away|toss|delete|erase|discard) (?:my|this|our) (?:number|phone number|contact|info|information)\\b`,
  `\\b(?:deja|deje|dejen|dejas|dejame|dejeme|dejenme|dejenos|dejennos|dejanos)(?:me|nos)? (?:ya |vivir )?(?:en paz|tranquil[oa]s?|de una vez|ya)\\b`,
  `^(?:${w.polite} |just |you |yall )*(?:go away(?! (?:for|to|on|next|this|in|over|every)\\b)|get lost|fuck off|f off|fk off|eff off|piss off|buzz off|screw off|fuck you|bug off|back off|get out of my phone|drop dead|vete|vayanse|vayase|largate|larguense|chinga tu madre|chinguen a su madre|jodanse|jodete|vete a la mierda|vete al carajo|no jodas|no joda|no jodan|no chingues|no chinguen|no friegues|no molestes|no moleste|no molesten|no insista|no insistan|no insistas)\\b`,
  `\\bdo not (?:call|contact|text) (?:list|registry)\\b|\\b(?:dont|don t|no) (?:call|contact|text) (?:list|registry)\\b|\\bdnc (?:list|registry)\\b|\\blista de no (?:llamar|contactar|molestar)\\b`,
  `\\b(?<!\\bdid you )(?:report|reported|reporting|marking|marked|flagged|flagging) (?:you|this|it|u|your number|this number|yall|them|these|and blocked)? ?(?:all )?(?:as|for|to) (?:a )?(?:spam|junk|harassment|scam|the ftc|the fcc|ftc|fcc|the attorney|my attorney|attorney|the bbb|bbb|my carrier|the authorities|the police|the state|your broker|your brokerage)\\b|\\b(?:block|blocked|blocking) (?:you|u|this number|your number|yall|and report\\w{0,3})\\b|\\b(?:los|lo|la|te|este numero) (?:voy a |vamos a )?(?:bloquear|bloqueare|bloqueo|reportar|reportare|denunciar|denunciare|reporto|denuncio|demando|demandare|demandar)\\b`,
  `\\b(?:i|we|ive|weve|have|already|been) (?:\\w+ ){0,3}(?:texted|replied|sent|said|typed|written|wrote|responded|messaged|answered|reply|replying|saying|texting|asking|asked|told|texting back|sending|responding|text|hit|typing)(?: with| to| you to| for you to| you| back| u to| yall to)? (?:\\w+ ){0,2}(?:stop|alto|basta|unsubscribe)\\b`,
  `\\b(?:how many times|what part of|which part of|what does it take)\\b.{0,80}\\b(?:stop|no|unsubscribe|texting|calling|alto)\\b`,
  `\\b(?:me|my|us|our|number|name|number|mi|off|out|removed|deleted) (?:\\w+ ){0,3}(?:off|out of|from) (?:of )?(?:the |your |this |ur |any |all |these |that |whatever |you |you guys |yalls )*(?:(?!wait|wish|guest|price|punch|buyers?|showing|title|open)\\w+ ){0,2}(?:lists?|database|contacts|distribution|rolodex|crm|mailing|texts|messages)\\b`,
  `\\b(?:quit|sac|saqu|borr|elimin|retir|remov|remuev)\\w{0,6} (?:(?!(?:el|la|los|las|un|una|ese|esa) (?!num|tel|cel|corr|contac))\\w+ ){0,3}?(?:de|del) (?:su|sus|tu|tus|la|las|el|esta|este|esa|toda|todas|ahi|aqui) ?(?:\\w+ )?(?:lista|listas|base|sistema|registro|registros|contactos|agenda|grupo|directorio)\\b`,
].map((source) => new RegExp(source))

const ways = [
  `\\b(?:dont|do not|never) (?:please |ever )?${w.do} (?:me |us )?(?:about|regarding|on) (?:it|this|that|us|her|him|them) (?:again|anymore|any more|ever)\\b`,
  `\\b(?:no longer|not to|to not|rather not|better not|best not|never again|never|stop|quit|no|ya no|dejar de) (?:get|getting|receive|receiving|recibir) (?:${w.between} ){0,5}${w.thing}\\b${fromUs}`,
  `\\b(?:better|best|should|never|wont|would) (?:not |never )*(?:get|hear|receive|see) (?:from|another|any more|one more) (?:u|you|yall|ya|your|any|one|${w.thing})\\b`,
  `\\b(?:if|hope|wish) (?:these|this|they|it|you|u|the texts|texts|messages) (?:\\w+ ){0,2}(?:stopped|stop|ended|quit)(?: ${w.polite})*$|\\bcancel (?:my|our|the|this) account\\b`,
  `\\bno les? (?:mand|envi|escrib|llam|marqu)(?:an?|en?) (?:mas|nada|mensajes|textos)\\b(?! a (?:mi|la|el|su)\\b)|\\bno l[oa]s (?:quiero|queremos|necesito|deseo|pedi|autorice|manden?|envien?)(?: ${w.polite}| mas)*$|\\bno les? (?:mand|envi|escrib|llam|marqu|habl)\\w{1,4} (?:\\w+ ){0,3}(?:a mi (?:num|tel|cel|correo|linea)\\w*|a este|a esta|al numero)\\b`,
  `^(?:${w.polite} )*(?:no|zero|sin) (?:more )?(?:${w.thing})(?: (?:or|and|ni|y|o) ${w.thing})?(?: ${w.polite})*$`,
  `\\bno (?:me|nos) (?:and\\w{1,3}|est\\w{1,3}|sig\\w{1,3}|vay\\w{1,3}) (?:a )?(?:llam|mand|envi|escrib|molest|contact|habl|busc|marc|texte)\\w{1,8}\\b|\\bno (?:quier\\w|querem\\w{2}|dese\\w{1,4}|necesit\\w{1,4}) (?:seguir |volver a )?recib\\w{2,5} (?:esto|eso|estos|estas|esos|esas|nada|mas|sus|tus|ningun\\w?|nunca)\\b|^(?:${w.polite} )*(?:ya )?no (?:sigan?|sigas|insist\\w{1,3})(?: mas| ${w.polite})*$`,
  `\\b(?:dont|do not|no longer) (?:want|wish|need|care) to (?:receive|get|see|hear|read) (?:them|these|this|those|it|anything) (?:any longer|anymore|any more|again)\\b`,
  `\\bdej(?:en?|es|ad|a) de (?:estar )?(?:jod|ching|molest|fastidi|mand|escrib|llam|envi|acos|insist)\\w{1,8}\\b`,
  `\\bnunca mas (?:me|nos|vuelvan? a) (?:me )?(?:escrib|llam|mand|envi|contact|molest|busqu|habl)\\w{0,8}\\b`,
  `\\b(?:rather|prefer|like|love|appreciate|appreciated|great|nice) (?:it |to |be |that |you |you to )*(?:not|if you (?:didnt|did not|wouldnt|would not|stopped|would stop|could stop|quit)|you (?:didnt|did not|stopped|not)) ?(?:to )?(?:get|getting|receive|receiving|be|being|have|send|sending|hear|hearing|text|texting|call|calling|contact|contacting|message|bother)?(?: ${w.between}){0,4} (?:${w.thing}|${w.doing}|me|us|contacted|texted|called|from you)\\b`,
  `\\bno (?:seguir|sigan?|sigas|continuar|continuen?|continues|me sigan?|me sigas|andar|anden?) (?:\\w+ )?\\w{2,12}(?:ando|iendo|andome|iendome|andonos)\\b`,
  `(?:^|\\b(?!(?:i|we|they|he|she|you|people|kids|tenants)\\b)\\w+ )(?:do not|dont) (?:contact|text|call|message|write|email|mail|follow up)(?: back| further)?(?: ${w.polite})*$`,
  `\\b(?:no more|stop|quit|enough|end|cancel|halt|cease) (?:(?!(?:and|but|or|to|until|if|so|i|we|for|from|in|at|by|because|send|use|text|call|check|read|just|than|when|is|are|do|have|get)\\b)\\w+ ){0,6}(?:texts|messages|msgs|alerts|emails|notifications|newsletters|mensajes|textos|robocalls)\\b${fromUs}`,
  `\\b(?:prefiero|preferiria|preferimos|quisiera|me gustaria|agradeceria) (?:mejor |ya |que )?(?:no|dejar de) (?:me |ya )?(?:recib\\w{1,4}|ser |que me |envi\\w{1,6}|mand\\w{1,6}|escrib\\w{1,6}|llam\\w{1,6}|contact\\w{1,6})`,
  `\\b(?:que|y|para que|pedi|dije) (?:ya )?no (?:me |nos )?(?:escrib|llam|mand|envi|molest|contact|texte|insist|busc|habl|marc)(?:ieran?|aran?|ieras|aras)\\b`,
  `\\bno (?:escriban|manden|envien|llamen|contacten|molesten|texteen|marquen)(?: ${w.polite}| mas| nada)*$`,
  `^(?:${w.polite} )*(?:borr|elimin|quit|saqu|bloque)\\w{1,4}l[oa](?: ${w.polite})*$`,
  `^(?:${w.polite} )*(?:ya )?no (?:escriban?|manden?|envien?|llamen?|contacten?|molesten?|insistan?|marquen?|texteen?)(?: ${w.polite}| mas)*$`,
  `\\bya no (?:escrib|llam|mand|envi|molest|contact|texte|insist|fastidi)(?:an?|en?|es|as|eis|ais|ar|ir)\\b(?! (?:el|la) )`,
  `\\bno (?:me|nos) (?:escrib|llam|mand|envi|molest|contact|texte)(?:ais|eis)\\b|\\bni (?:me )?(?:escrib|llam|mand|envi|molest|contact)(?:ais|eis|an|en|a|e)\\b`,
  `\\b(?:rather|prefer|better if) (?:that )?(?:you )?(?:not|didnt|did not|dont|do not|no) (?:to )?(?:text|call|contact|message|email|be texted|be called|be contacted|texts|messages|emails|any texts|any messages|more texts|more messages)\\b`,
  `\\b(?:parar|pare|paren|cancelar|cancelen|cancele|cancela|detener|terminar|eliminar|quitar|bloquear|suspender) (?:los |las |mis |sus |estos |estas |todos los |todas las )?(?:mensajes|alertas|textos|notificaciones|correos|llamadas|sms|avisos|promociones|anuncios)\\b`,
  `^(?:${w.polite} )*stop (?:(?!(?:by|at|in|for|to|the|and|over|off|on|when|if)\\b)\\w+ ){1,2}${w.doing}\\b`,
  `\\b(?:favor de|por favor|pido que|pedirle que|pedirles que|agradeceria que) (?:ya )?no (?:me |nos )?(?:${w.do})\\b(?! (?:al|a la|a los|a mi|el|la|los|las) )`,
  `\\bno (?:me |nos )?(?:manden?|mandes|envien?|envies|escriban?|escribas) nada\\b|\\bno (?:me|nos) vuelv\\w{1,3} a (?:marcar|hablar|escribir|llamar|mandar|enviar|contactar|molestar|buscar|textear)\\b`,
  `\\bno need (?:to (?:keep|continue) (?:${w.doing}|${w.do})|for (?:any |more |further |additional |any more |these |the |your )*${w.thing})\\b`,
  `\\b(?:no|nunca) (?:vuelvan?|vuelvas|sigan?|sigas) (?:a )?(?:escrib|mand|envi|contact|llam|molest|text)\\w{0,8}\\b`,
  `\\b${w.ending} (?:${w.between} ){0,5}(?:${w.thing}|${w.doing})\\b${fromUs}`,
  `\\b${w.not} (?:(?:ever|please|you|you ever|want you to|need to|have to|try to|even|you dare|dare|just|bother to|me|nos|me vuelvan? a|me vuelvas a|nos vuelvan a|vuelvan? a|vuelvas a|me sigan?|sigan?|sigas|quiero que|quiero que me|queremos que|deseo que me|necesito que me|you people|allowed to|permitted to|want u to|wish for you to) ){0,3}${w.do}(?: to| with| at| on)?(?: ${w.between}){0,4} (?:${w.whom}|${w.thing}|listings$|it$|any ?more(?:$| (?:please|thanks|or|and|i|we|you|thank|because|at|por)\\b))\\b(?! (?:the|that|a|an|your|el|la|los|las|su) (?:\\w+ )?${w.item}\\b)${fromUs}`,
  `\\b(?:ya |por favor |favor de |que |y |pero )?(?:no|ya no|nunca) (?:me|nos) (?:vuelvan? a |vuelvas a |sigan? |sigas |esten? |estes |quiero que )?(?:escrib(?:an?|as|ir|iendo)|(?:mand|envi)(?:en?|es|ar|ando)(?=$| (?:mas|ya|por|nada|ningun|ninguna|mensajes?|textos?|correos?|publicidad|promociones|propaganda|informacion|listados?|propiedades$|casas$|opciones$|ofertas?|anuncios?|estos|estas|esto|tantos|tantas|otra|otro|de|gracias|porfa|pls|please|nunca|a|sus|tus|y|ni|o|cosas|spam)\\b)|contact(?:en?|es|ar|ando)|llam(?:en?|es|ar|ando)|molest(?:en?|es|ar|ando)|text(?:een?|ees|ear|eando)|notifiqu(?:en?|es)|busqu(?:en?|es)|fastidi(?:en?|es|ar|ando)|habl(?:en?|es|ar|ando)|marqu(?:en?|es))\\b(?! (?:el|la|los|las|un|una) (?!mensaje|texto|correo|llamada|publicidad|promocion|oferta))(?! (?:mas )?(?:de|en|por) (?!est|es[ao]|su|tu|la |favor|nuevo|nada|ninguna|propaganda|publicidad)\\w)`,
  `\\b(?:ya )?${w.not} (?:\\w+ )?(?:${w.wanting}) (?:${w.between} ){0,6}(?<!(?:want|need|like|care|wish|wanna) to )(?:${w.thing}|listings$|${w.doing}|${w.wish})\\b${fromUs}`,
  `\\b(?:never|not|dont|do not|wish to not|prefer not|rather not|want not) (?:to )?(?:want to )?(?:be|receive|get|hear)(?: (?:contacted|called|texted|messaged|emailed|bothered|from you|from yall|anything from you|these|any more|your texts|your messages|any of these))+\\b`,
  `\\b(?:stop|quit) (?!mowing|letting|leaving|putting|parking|looking|renting|paying|worrying|thinking|searching|working|smoking|raining|barking|moving|using|being|going|living|leaking|running|showing|making|taking|buying|selling|building|growing|doing|driving|dreaming|crying|laughing|eating|drinking|overthinking|procrastinating|viewing|hunting|calling it|calling me (?:babe|baby|honey|sir|maam|sweetie|dear|mr|mrs|ms)|talking|waiting|bidding|trying to find|listing|saving|shopping|touring|bringing|checking|refreshing|stressing|something|anything|everything)\\w{2,12}ing\\b (?:\\w+ ){0,2}?(?:me|us|my|this number|people)\\b`,
  `^(?:\\w+ ){0,4}?(?:dont|do not|no longer|not) (?:\\w+ ){0,2}(?:want|wish|need|care|like) (?:\\w+ ){0,4}?(?:texts|messages|to be texted|to be contacted|to be called|emails|text messages|solicitations|contacted|you contacting|you texting|you calling)\\b${fromUs}`,
  `\\b(?:dej|par|bast|ces|detien|deten|evit)\\w{0,5} (?:ya |de |con |por favor |el |los |las |sus |tus |tantos |tantas |esos |estos |estas )+(?:mensaj|llamad|llamar|texto|textos|texte|correo|escrib|mand|envi|molest|contact|notific|public|promoc|spam|insist|acos|fastid|hostig)\\w{0,9}\\b`,
].map((source) => new RegExp(source))

/** The same where nothing else stands in the sentence. */
const alone = new RegExp(
  `^(?:(?:${w.polite} |or |and )*${w.not} (?:please |ever |you )*${w.do}(?: or ${w.do})*(?: ${w.polite})*(?: |$))+$`,
)

const statements = [
  `^(?:(?:please|pls|plz|can|could|would|will|you|u|yall|just|ok|hey|seriously) |who\\w+ is (?:typing|sending|texting|writing) this )*(?:stop|quit)(?: (?!by\\b|at\\b|in\\b|on\\b|for\\b|the\\b|a\\b|an\\b|here\\b|there\\b|and\\b|to\\b|with\\b|off\\b|over\\b|it\\b|lights?\\b|signs?\\b|payments?\\b|job\\b|claim\\b|work\\b|school\\b|today\\b|tonight\\b|tomorrow\\b|later\\b|time\\b|loss\\b|order\\b|after\\b|before\\b|when\\b|if\\b|around\\b|near\\b|next\\b|then\\b|\\w+days?\\b|\\w+ing\\b|\\d)\\w+)?(?: ${w.polite})*$`,
  `^(?:${w.polite} |i |we |really )*(?:dont|do not|no longer) (?:want|need|wanna) (?:these|those|any of (?:these|this)|more of (?:these|this)|any more of (?:these|this)|these things|this stuff|this crap|any of your stuff|anything)(?: ${w.polite})*$`,
  `^(?:\\w+ ){0,3}?(?!(?:i|we|they|he|she|it|will|wont|cant|dont|doesnt|didnt|never|not|to|the|a|an|bus|train|next|first|last|one|pit|rest|full|truck|non|my|our|your|this|quick|every|each|should|could|would|let|lets|when|where|no|and|or|can|did|does|do|may|might|must|each|another|final|only|\\d+(?:st|nd|rd|th)|second|third|rail|light|coffee|metro|subway|tram|shuttle|school)\\b)\\w+ (?:stop|unsubscribe)$`,
  `\\b(?:get|gtfo|stay|keep) (?:the \\w+ )?(?:off of|off|out of|away from)? ?my (?:phone|inbox|line|cell)\\b`,
  `^(?:${w.polite} )*(?:no|zero|sin) (?:more )?(?:texting|calling|messaging|emailing|contacting|spamming|texts|messages|text messages|calls|emails|spam|contact|solicit\\w{0,8}|msgs|phone calls|mensajes|llamadas|correos|textos|publicidad|promociones|sms)(?: (?:or|and|ni|y|o) ${w.thing})?(?: ${w.polite})*$`,
  `\\b(?:you|u|ya|yall|your|ur|people|asking|beg|said|told|say|saying|please|pls|plz) (?:(?!(?:i|we|when|where|while|until|they|he|she|before|after)\\b)\\w+ ){0,6}(?:stop|stopped)${tail}$`,
  `\\b(?:this|these|it|them|texts?|messages?|emails?|calls?|madness|harassment) (?:\\w+ ){0,3}(?:to|must|should|gotta|please|better) (?:be )?(?:stop|stopped)${tail}$`,
  `^(?:${w.polite} |just |seriously |omg |ugh )*stop${tail} (?:or|before|im|i am|ive|i have|i already|i dont|i do not|i do|i was|i will|ill|i|we|were|weve|because|cause|cuz|bc|u|you|yall|fucking|asap|if|unless|wrong|not|no|nobody|thank|thanks|and (?:take|remove|delete|leave|lose|dont|unsubscribe|do not|never)|trying|bother|dont|do not|leave|my|he|she|ya|por|gracias|lo|ok|otherwise|please|remove|take|text|texts|message|msg|unsub|porque|no|los)\\b(?! (?:sign|by|in))`,
].map((source) => new RegExp(source))

/** Ends something that the message names elsewhere: its number, or our messages. */
const endsIt = new RegExp(
  `\\b(?:please|pls|kindly|favor de|por favor|just|and|can you|must|but|so|y|pero) (?:(?:remove|erase|delete|unsubscribe|stop)(?: (?:it|them|this|these)|$)|take (?:it|this) off|(?:deteng|deten|par|cancel|quit|elimin|suspend|remov|borr|saqu|sac)\\w{0,6}(?:los|las|lo))\\b|\\b(?:this shit|this crap|this) take it off\\b|\\b(?:deteng|suspend|cancel)\\w{1,4}(?:los|las) por favor\\b`,
)

const namesUs =
  /\b(?:number|signing up|phone|cell|sign up|signed up|mensajes?|messages?|texts?|numero|celular|telefono|list|info|information|contact)\b/

const stillSent = new RegExp(
  `\\b(?:still|(?:i|we|you|u|yall|they|texts|messages|emails|these|it) (?:guys |people |just )*(?:keep|keeps|kept|continue|continues)|sigo|siguen?) (?:on |to )?(?:get|getting|receive|receiving|send|sending|text|texting|messaging|come|coming|contacting|emailing|calling|recib|mand|envi|escrib|lleg)\\w{0,5}\\b`,
)

/** Whether words say that our messages still come after a request to end them. */
const complainsOfMore = (words: string): boolean =>
  stillSent.test(words) && /\b(?:stop|unsubscribe|unsubscribed|opted out|alto|baja)\b/.test(words)

const strong =
  /\b(?:stop|stopall|unsubscribe|unsub|alto|basta|remove me|leave me alone|take me off|optout|opt out|no mas|dont text me|do not text me|do not contact|dont contact me|do not contact me|dnc|dejenme en paz|dejame en paz|darme de baja|paren|parenle|parele|detengan|blocked|blocking)\b/

const anyContact =
  '(?:contact|contacting|call|calls|calling|phone calls|bother|bothering|harass|harassing|bugging|llamar\\w{0,3}|contactar\\w{0,3}|molestar\\w{0,3}|llamadas)'

/** Opt-outs from more than texts: internal do-not-call (47 CFR 64.1200(d)). */
const noContact = new RegExp(
  `\\b(?:stop|quit|cease|no more|discontinue) (?:all |the |these |this |your |my |further |any )*${anyContact}\\b|\\b${w.not} (?:ever |you ever |please |to )*(?:contact|call|bother|disturb|harass)(?:$| (?:me|us|this number|here|anymore|any more|again|my))|\\b${w.not} (?:ever |\\w+ )?want (?:any more |any |more |your |these |to get |to receive |to be |you )*(?:contacted|called|bothered|${anyContact})\\b|\\bdo not (?:call|contact) (?:list|registry)\\b|\\b(?:dont|no) (?:call|contact) (?:list|registry)\\b|\\bdnc\\b|\\bleave (?:me|us) (?:the \\w+ |tf )?alone\\b|\\b(?:lose|forget) (?:my|this) number\\b|\\b(?:deja|deje|dejen|dejar|pare|paren) de (?:llamar|contactar|molestar)|\\bno (?:me|nos) (?:vuelvan? a |sigan? |esten? )?(?:contact|llam|molest)\\w{0,6}|\\bno (?:llamar|contactar|molestar|llamen?|molesten?|contacten?)\\b|\\b(?:dejame|dejenme|dejeme|dejennos) en paz\\b|\\bno (?:quiero|deseo) (?:mas |que me |que me sigan |recibir |recibir mas )*(?:llam|contact|molest)\\w{0,6}`,
)

/** A request to end our messages. */
export interface Ending {
  /** It only ends a way of reaching the person. */
  isWay: boolean
  /** It is a prescribed word that names nothing: `OMG stop I love it`. */
  isBare: boolean
}

const namesContact = new RegExp(`\\b(?:${w.thing}|${w.doing}|me|us|lists?|number)\\b`)

/** The request of a sentence to end our messages. Its clauses are those of the sentence. */
export function endingIn(
  words: string,
  isQuestion: boolean,
  clauses: readonly string[] = [words],
): Ending | undefined {
  if (always.some((one) => one.test(words)) || complainsOfMore(words)) return { isWay: false, isBare: false }
  if (!isQuestion && statements.some((one) => one.test(words)))
    return { isWay: false, isBare: !namesContact.test(words) }
  const isWay = alone.test(words) || ways.some((one) => clauses.some((clause) => one.test(clause)))
  return isWay ? { isWay, isBare: false } : undefined
}

/** Whether a request ends what the message names elsewhere: its number, or our messages. */
export const endsWhatIsNamed = (words: string): boolean => endsIt.test(words) && namesUs.test(words)

/** Whether words contain a request that counts in a clause of its own. */
export const isStrong = (words: string): boolean => strong.test(words)

export const isNoContact = (words: string): boolean => noContact.test(words)
