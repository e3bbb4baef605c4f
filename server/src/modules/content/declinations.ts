/**
 * How far a declination extends. `on`: from its first word to the end of its part of the sentence. `asking`: the same, but only up to a
 * word of certainty. `back`: like `on`, plus the words before it, as in “safety is something I can't discuss”. `itself`: its own words
 * only. `none`: it sounds like a declination but is not one.
 */
export type Extent = 'on' | 'asking' | 'back' | 'itself' | 'none'
export type Declinations = Readonly<Record<Extent, readonly string[]>>

const us =
  'i|im|ive|id|ill|we|weve|wed|well|were|me|us|ai|afraid|assistant|assistants|agent|agents|realtor|realtors|broker|brokers|team|office|company|legally|honestly|nobody|noone|no one|none of us|neither of us|no agent|no assistant|no broker|no realtor'
const cant =
  'cant|cannot|(wouldnt|wont|would not|will not) be (able|allowed|in a position|comfortable|right for me) to|couldnt|shouldnt|mustnt|(can|could|may|should|must) not|can never|unable to|(isnt|not|arent|wasnt) [really|legally|currently|the one|one|a person|someone] (able|allowed|permitted|qualified|licensed|authorized|supposed|going|comfortable|free|equipped|trained|willing|at liberty|be able|be in a position|in a position|in any position|my place|for me|for us|right for me|appropriate for me|my job|our role|my role|here) [i|we|that] [to|in|can|from]|(unable|barred|prohibited|forbidden|prevented|restricted) [by law|from] [to|from]|(impossible|not possible|isnt possible|wouldnt be (fair|right)|not right|wrong|improper|not appropriate|inappropriate|illegal) for (me|us|anyone|an agent|agents) to|not the (one|right one|right person|person|best person) to'
const wont =
  'wont|dont|do not|does not|doesnt|never|wouldnt|will not|would not|(have|need|ought|try|choose|prefer|like|careful|want) (to avoid|to decline to|to refrain from|not to|to stay out of|to steer clear of|to stop short of)|(rather|best|prefer|policy is) not [to]|avoid|refrain from|decline to|stay (out of|away from)|steer clear of|(should|will|ll|must) (avoid|decline to|refrain from)'

/** What a speaker declines to do: verbs that take only a topic. */
const discuss =
  'help [you|anyone] [with|to] (finding out|find out|looking up|look up|identifying|identify|learning|researching|sorting|screening)|comment|commenting|discuss|discussing|characterize|characterizing|describe|describing|advise|advising|steer|steering|rate|rating|rank|ranking|judge|judging|evaluate|evaluating|assess|assessing|opine|opining|weigh|weighing|speculate|speculating|guess|guessing|estimate|estimating|predict|predicting|forecast|verify|confirm|interpret|interpreting|compare|vouch|grade|label|generalize|get into|go into|go there with|getting into|(guarantee|promise|assure) (that|anything|any|the)|answer (questions|that|this|whether|how)|answer|(opinions|opinion|comments|views|guesses|talk) (on|of|about)|respond to (questions|that|this)|(speak|speaking|talk|talking) (about|on|of|for)|(speak|speaking) to|help [you] (with|choose|decide|determine) (whether|if|which|that|who|how|what)|point [you|anyone|buyers|people] (to|toward|towards|away)|pointing (you|anyone|buyers|people)|(suggest|recommend|recommending|suggesting|show|find|choose) [a|an|one|any|you|certain|specific] (neighborhoods|neighborhood|areas|homes|houses|home|listings|properties|places|streets|buildings|communities|schools) (based on|by|over|because of|on the basis of|according to)|(suggest|recommend|recommending|suggesting) (a|an|one|any|specific|particular|certain|which|areas|neighborhoods) [neighborhood|neighborhoods|area|areas|school|schools|community|communities|part] (based on|by|over|because of|on the basis of|for)'
const asked = 'whether|if|how|which|what|who|whos|where|anything|much|more|about|on|for|things about'
const opinions =
  'opinion|opinions|information|info|advice|guidance|details|data|statistics|stats|judgment|judgments|assessment|assessments|ratings|comments|views|recommendations|characterizations|statements|claims|numbers|figures|records|input|take|commentary|answers|descriptions|demographics'
const say = `(say|saying|tell|telling|share|sharing|know|state|offer|provide|provided|give|suggest|determine|decide) [you|with you|for you|anyone|for sure|exactly] (${asked})`
const opine = `(give|giving|offer|offering|provide|providing|share|sharing|have|make|form|express|keep|collect|hold|track|maintain|store|do) [you|out] [any|an|a|my|our|specific|personal|professional] [personal|professional|specific|such|legal|tax|lending|financial] (${opinions})`
/** What a speaker was asked to do and declines: to search, choose, or advertise based on what a person is. */
const byWhat =
  'by|based on|according to|on the basis of|because of|around|for|with|in|through|in terms of|whether|about|who|of'
const choosing =
  'filter|filtering|search|searching|screen|screening|sort|sorting|choose|choosing|select|selecting|pick|picking|match|matching|narrow|exclude|limit|limiting|restrict|pull up|look for|looking for|track|ask|keep track|target|targeting|group|consider|base'
const sift = `(${choosing}) ~3 (${byWhat})`
const advertise =
  '(add|adding|insert|advertise|advertising|publish|publishing|post|posting|print|list a|run|include|mention|use|put|write|require|requiring|ask|demand|insist|honor|follow|carry out|act on|accommodate) ~3 (that|no|adults|the|such|for|phrase|line|wording|request|requests|preference|preferences|a|an|any|only)'
const topic = `(${discuss}|${say}|${opine}|${sift}|${advertise})`
const speak = `(${topic}|speak|talk|speaking|talking)`

/** Declinations of a speaker who may not, or will not, do what `verb` says. */
const rejections = (verb: string): string[] => [
  `(${us}) ~2 (${cant}) ~1 ${verb}`,
  `(${us}) ~2 (${wont}) ~2 ${verb}`,
  `(id|wed|i would|we would) (hate|not want|never want) to (steer|mislead|guess|misinform|point|give|lead|speculate) ~2`,
  `(i|we) [do my best|do our best|try|need|have|prefer|like|always|aim|really] [to] (stay out of|steer clear of|stay away from|avoid|keep out of) ~1 (school|schools|crime|safety|neighborhood|demographic|demographics|comparing|comparisons|rating|ratings|ranking|rankings|questions|topics|opinions|discussions|predictions)`,
  `(limited|restricted|careful) (in|on|about|with) what (i|we) (can|may|am able to|are able to|should) ~1 (say|share|tell|discuss|offer|comment)`,
  `(id|wed|i would|we would) [only|just] be (guessing|speculating|making (it|that) up)`,
  `(impossible|not possible|isnt possible|irresponsible|unfair|premature|presumptuous|misleading|unwise|wrong) (for|of) (me|us) to ~1 (${discuss}|${say}|${opine})`,
  `(cant|cannot|unable to|not able to|not allowed to|not going to|rather not|prefer not to) ~1 (${discuss}|${say}|${opine})`,
  `(no one|nobody|noone|no agent|no assistant|no broker|no realtor|neither of us|none of us) [here|really|honestly|of us|in ~2|at ~2|on ~2] (can|could|may|should|will|would|is allowed to|is able to|gets to) ~1 ${verb}`,
  `(please|kindly|why) ~1 (dont|do not|never|not) ask (me|us) (to|about|for|which|whether|who)`,
  `(law|laws|rules|rule|act|policy|policies|guidelines|regulations|license|ethics|standards) ~2 (keep|keeps|prevent|prevents|prohibit|prohibits|bar|bars|forbid|forbids|stop|stops|dont|doesnt|do not|does not|wont|mean|means|limit|limits) ~1 (me|us|agents|agent|realtors|brokers|anyone|my)`,
]

const topics =
  'something|anything|nothing|none|one|ones|topic|topics|subject|subjects|matter|matters|thing|things|question|questions|call|request|requests|conversation|conversations|label|labels|term|terms|word|words|categories|language|descriptions|criteria|search|searches|filter'
const rejectedBefore = (verb: string): string[] => {
  const spoken = `(${verb}|say|tell|answer|share|give|know|judge|promise|cover|handle|address|do|make|help|touch|provide|offer|recommend|advise|weigh|talk|speak|discuss|comment|decline|leave|skip|avoid|pass|stay|steer|use|run|offer|search|follow|apply|track|list|sort|keep|compare|label|mark|note|respond|reply|engage|entertain|opine|go|get)`
  return [
    `(${topics}) [that|which] (i|we|im|were|agents|an agent|an assistant) ~1 (${cant}|${wont}|have to|need to|must|would have to|ll have to) ~1 ${spoken} [to|with|about|in|into|on|for|out|up]`,
    `(isnt|arent|not|never|none|neither is) ~2 (${topics}) [that|which] (i|im|we|were|agents) [am|are|can|could|may|would|do|will] ~2 ${spoken} [with|about|in|into|on|for|to]`,
    `(none|nothing|neither) [of (them|these|those|which)] [that|which] (i|we|agents) [am|are|can|could|may|would|do|will] ~2 ${spoken} [with|about|in|into|on|for|to]`,
    `(is|are|isnt|arent|s|falls|not|its|thats) ~2 (outside|beyond|above|out of|not in|not within|not part of|outside of) ~1 (my|our|what|the) [lane|scope|role|expertise|area|pay grade|wheelhouse|job|an] [ai|assistant|i|we] [can|do|handle|am|may|could|should|cover] [able|allowed] [to] [say|tell|help|speak|discuss]`,
    `(isnt|arent|not|never|aint) [really|something thats|a call thats|quite] (mine|ours|my place|my call|my area|my field|my department|our place|our call|up to me|up to us|for me|for us|our area|a topic|a subject|topics|subjects) [for me|for us|i|we|that] [to|can|will] [${discuss}|say|make|decide|answer|give]`,
    `(id|i|we|ill|well|wed) ~2 (rather|prefer to|have to|need to|must|always|happily|usually|generally|should) ~1 (leave|defer|refer|pass on|hand|skip|sidestep|stay out of|stay away from|steer clear of|decline|turn down|direct|remove|leave out)`,
  ]
}

/** Phrases that only sound like a rejection: praise, and advice to do without an expert. */
const praises: readonly string[] = [
  `[i|we|you|sorry|honestly] [really|just|honestly|simply] (cant|cannot|couldnt|could not|wont|dont) [really|just|honestly|simply] (say|tell|speak|talk|recommend|stress|emphasize|rate|describe|praise|express) [you|it|them|this|more|too|of it|about it|good things|to you] [more|too] (enough|highly) ~5`,
  `[i|we|you|sorry|honestly] [really|just|honestly|simply] (cant|cannot|couldnt|could not|wont|dont) [really|just|honestly|simply] (say|tell|describe|express|share) [you|it|to you|in words] (how|what) [a|very|so] (much|many|happy|excited|glad|thrilled|lucky|pleased|proud|often|highly|great|amazing|wonderful|fantastic|excellent|awesome|perfect|lovely|beautiful|incredible|outstanding) ~5`,
  `(i|we) (dont|do not) know [of] (a|any|anyone|anybody|many)`,
  `(need no|needs no|require no|requires no|no need|no reason|dont need|do not need|doesnt need|dont have|not need|not necessary|unnecessary|dont bother|skip|without|dont even need|never|forget|save the money on) ~3 (attorney|lawyer|lawyers|accountant|cpa|lender|appraiser|inspector|inspection|appraisal|professional|agent|agents|notary)`,
  `(no|sin) [hace|se|le|necesita|necesitan|tiene] ~3 (abogado|abogada|contador|notario|perito)`,
]

const expert =
  'attorney|attorneys|lawyer|lawyers|accountant|accountants|cpa|cpas|lender|lenders|bank|banker|advisor|advisors|adviser|advisers|professional|professionals|pro|agent|agents|appraiser|appraisers|appraisal|broker|brokers|officer|specialist|counsel|notary|underwriter|inspector|planner|counselor|expert|experts|preparer|mortgage broker|title company|escrow officer|abogado|abogada|abogados|contador|contadora|contadores|prestamista|prestamistas|banco|asesor|asesora|agente|profesional|perito|valuador|especialista|notario'
const source =
  'police|sheriff|sheriffs|precinct|department|district|districts|school|website|site|page|portal|census|state|city|county|assessor|assessors|hud|records|map|maps|data|report cards|report card|irs|government|online|databases|dashboard|policia|distrito|pagina|sitio|censo|ciudad|condado|estado|asesor'
const kind =
  'your|a|an|the|our|own|real|estate|tax|licensed|loan|mortgage|local|qualified|trusted|good|financial|title|legal|any|one of our|one of|public|official|landlord tenant|city|county|state|school|school districts|police|his|her|open|education|housing'
const someExpert = `[${kind}] [${kind}] [${kind}] (${expert})`
const someSource = `[${kind}] [${kind}] [${kind}] [${kind}] (${source})`
const informed =
  'question|questions|topic|topics|a matter|the matter|legal matter|tax matter|matters|subject|something|conversation|one|ones|job|area|decision|decisions|call|talk|discussion'
const leftTo = (whom: string): string[] => [
  `(${informed}) ~3 (for|to|with|of) ~1 ${whom}`,
  `(best|better|easiest|safest|wise|wisest|smart) ~1 (answered|left|handled|directed|discussed|addressed|suited|asked|sent|taken|brought|put|looked up|checked|read|found) ~2 ${whom}`,
  `(leave|leaving|left|defer|deferring|refer|referring|direct|bring|take|run|pass|send|save|hand|point|goes|go|belongs|belong|falls) ~4 (to|by|past|toward) ~1 ${whom}`,
  `(leave|leaving|left|belongs|belong|sits|starts|rests) ~3 (with|for) ~1 ${whom}`,
  `(up to|depends on|depend on|decided by|determined by|set by|handled by|comes down to|rests with|reviewed by|answered by|comes from|come from|published by|published on|posted by|posted on|available from|available on|available through|kept by|listed on|found on|found at) ~1 ${whom}`,
  `${whom} ~2 (is|are|would be|will be|s|d be|may be|might be) ~2 (right person|best person|person|right people|(one|ones) (to ask|to talk to|for that|who can|who could|to call|to see|you want|to check with)|best source|better source|source|right place|best place|best contact|contact|right one|better one|best bet|good bet|way to go) [for that|for this|there|to ask|to talk to|to call|to see|to check|to speak with|to look|to turn to] [about|for|on|regarding]`,
]
const yours: readonly string[] = [
  `(judge|decide|see|find out|research|look into|check|explore|evaluate) ~2 (for yourself|yourself|on your own|for themselves)`,
  `(you|youd|buyers|each buyer|everyone) [would|ll|will|should] (have|need|want) to (judge|decide|research|visit|weigh)`,
]
const yoursBefore: readonly string[] = [
  `(choice|decision|call|pick|preference|selection|judgment) ~6 (is|are|s|remains) [entirely|always|really|ultimately] (yours|theirs)`,
  `(is|are|remains|s|be) [entirely|always|really|ultimately|completely|something] (up to you|your call|your choice|your decision|yours to make|for you to decide|for you to judge|a call only you can make|a choice only you can make|a personal choice|a personal decision|a personal call|personal)`,
  `(something|one) ~2 (you|only you|each buyer|buyers|leave to you) (will|would|can|should|have to|need to|has to|must|d|get to) (make|decide|judge|research|look|weigh|explore|check|to)`,
  `(call|decision|choice) ~2 (you|only you|each buyer|buyers|leave to you) [will|would|can|should|have to|need to|has to|must|d|get to] (make|decide|judge|research|look|weigh|explore|check|to)`,
  `(have to|rather|prefer to|must|need to|always|ll|will) leave [that|it] to you`,
]

/** Where topics that no agent discusses are published. */
const published: readonly string[] = [
  `(ask|contact|call|check with|check|visit|see|use|try|reach out to|speak with|speak to|talk to|consult|look at|look on|go to|search) ${someSource} [department|district|office|website|maps|site|page|directly|online] [directly] [about|for|on|regarding] [official|local|current|the] (crime|safety|ratings|school ratings|schools|school quality|quality|rankings|demographics|statistics|data|information|boundaries) [rate|rates|statistics|data|information|levels|ratings] [in|of|for] [the|that] [area|neighborhood]`,
  `(crime|safety|school|schools|demographic|demographics|census|neighborhood) [rate|rates|statistics|stats|data|information|info|ratings|report|reports|numbers|maps] ~2 (is|are|can be|s) ~1 (published|posted|available|listed|online|public|found|kept) [by|on|at|from|online|in|through] [${someSource}]`,
  `${someSource} ~2 (publish|publishes|has|have|post|posts|offer|offers|show|shows|provide|provides|keep|keeps|list|lists|maintain|maintains|explain|explains) ~2 (crime|safety|school|incident|demographic) [rate|rates|statistics|stats|data|information|info|ratings|reports|report|numbers|maps|map]`,
  `for [local|area|questions about|information on|information about|details on|details about|anything about] (crime|safety|school|schools|demographics|demographic) [rate|rates|statistics|information|data|ratings|quality|questions] [please|you can|i suggest|id] (contact|ask|check|see|visit|consult|call|look at|use|try)`,
  `(compare|look up|research|check|find) (schools|crime|school ratings|crime rates|demographics|test scores) [data|statistics|rates|ratings|maps] (on|at|online|through|with) ~3 (${source})`,
]

const diga =
  '(hablar|hablarle|hablarte|comentar|comentarle|comentarte|opinar|discutir|meterme|meternos|(recomendar|recomendarle|recomendarte|sugerirle|sugerir|escogerle|elegirle) [un|una|alguna] (zona|zonas|barrio|barrios|area|vecindario)|(calificar|describir|describirle|asegurarle|garantizarle|asegurar|garantizar|prometer|confirmar|predecir|juzgar|evaluar|interpretar) [le|que|el|la|los|las|un|una|como|si]|responder [preguntas|a]|(decir|decirle|decirte|decirles|saber|compartir|comentarle) [con usted] (si|que|cual|cuales|quien|quienes|como|cuanto|cuan|donde|nada|mas|lo|sobre)|(dar|darle|darte|ofrecer|ofrecerle|compartir|doy|damos|tengo|tenemos|comparto|compartimos|llevamos|manejo|manejamos) [una|un|mi|ninguna|ese tipo de] (opinion|opiniones|informacion|consejo|consejos|datos|asesoria|recomendaciones|detalles|registro)|(filtrar|filtramos|filtro|buscar|buscamos|busco|elegir|escoger|seleccionar|clasificar|separar) ~3 (por|segun|con base en|de acuerdo)|(publicar|anunciar|poner|escribir|incluir|pedir|exigir|rechazar) ~3 (que|anuncio|frase|sin|no|solo|eso|a|ese|esa))'
const negativas = (verbo: string): string[] => [
  `[por ley] no [le|les|te|se|lo] (puedo|podemos|debo|debemos|se me|se nos|me|nos|quiero|queremos|quisiera|seria correcto|es correcto|vamos a|voy a|soy quien para|soy quien|me atreveria|me atrevo|sabria|podria|podriamos|acostumbro|acostumbramos) [es|esta|permite|permiten|corresponde|toca] [permitido|posible|a|a mi|a nosotros] ${verbo}`,
  `[por ley] no (estoy|estamos|esta) [autorizado|autorizada|autorizados|permitido|en posicion] [para|a|de] ${verbo}`,
  `no [le|les|te] (opino|opinamos|comento|comentamos|hablamos|hablo|recomiendo|juzgo|califico|describo|describimos|describe) (de|del|sobre|acerca|zonas|barrios|vecindarios|como)`,
  `(prefiero|preferimos|mejor|trato de|tratamos de) no (${verbo}|opinar|comentar|hablar|meterme|decir)`,
  `no [le|les|te] (doy|damos|tengo|tenemos|comparto|compartimos|llevamos|manejo|manejamos) [una|mi|ninguna|ese tipo de] (informacion|opinion|opiniones|datos|detalles|consejos|recomendaciones|registro) (de|sobre|acerca)`,
  `no (buscamos|busco|filtramos|filtro|elegimos|clasificamos|separamos|seleccionamos|escogemos) ~2 (por|segun)`,
]
const negadas: readonly string[] = [
  `(es|son|seria) [algo|cosas|un tema|temas|una pregunta|preguntas] (que|de lo que|de las que|del que|sobre lo que) no ~1 (puedo|podemos|debo|hablo|hablamos|comento|comentamos|discutimos|opino|hacemos|hago) [hablar|decir|comentar|opinar|responder]`,
  `no [es|son] (me corresponde|nos corresponde|me toca|me compete|mi area|mi papel|mi lugar|cosa mia|algo que pueda|algo que yo|las hacemos|lo hacemos|la hacemos|los hacemos|es mi area|esta en mis manos) [decirle|decir|opinar|hablar|comentar|comentarle|contestar|juzgar]`,
  `(eso|esa|esas|esos) no [se] [lo|la|las|los] [le] (puedo|podemos|debo|se|manejo|comento|hago|hacemos) [decir|comentar|contestar|responder|opinar|compartir]`,
]
const suya: readonly string[] = [
  `(eso|esa|es|son) [una|la] [es] (decision suya|decision de usted|decision personal|eleccion suya|cosa suya)`,
  `(decision|eleccion|opcion|criterio) ~5 (es|queda) (suya|de usted|de ustedes|solo suya)`,
  `(es|queda a) (su criterio|su eleccion|decision suya)`,
]

/** Someone who declines to discuss a topic names it but says nothing about it. For fair housing, mostly in the first person. */
export const rejectionsOfHousing: Declinations = {
  on: [
    ...rejections(topic),
    `(${us}) ~2 (dont|do not|never|cant|cannot|wont|not) ~1 (discriminate|discriminating|steer) [anyone|you|buyers|people|in any way|applicants] (against|by|based on|on|because of|over|for|to|toward|towards|away)`,
    `(ads|ad|advertisement|listing|listings|description|descriptions|landlord|landlords|owner|owners|seller|sellers|we|i|flyer|post|posts|remarks) ~1 (cant|cannot|can not|may not|arent allowed to|isnt allowed to|are not allowed to|shouldnt|must not|mustnt|never|wont|dont) ~1 (say|mention|state|include|advertise|set a limit|set limits|limit|restrict|exclude|require|ask|turn away|reject|discriminate|list|contain|use|express|charge|specify|favor|choose|pick|select|screen|word) ~3 (about|on|that|by|because|based|for|adults|no|only|religion|children|families|kids|anyone|people|tenants|applicants|phrases|words|perfect|ideal|preference|preferences|any|a|an|the|who)`,
    `el anuncio no puede [decir|incluir|mencionar|poner]`,
    `la ley [de vivienda] [justa] no (nos|me|le) (deja|permite|autoriza)`,
    `(i|we|our office|our team|the office) ~1 (dont|do not|never|cant|cannot|wont) ~1 (track|keep|collect|record|store|hold|gather|note|share|publish|know|ask) ~2 (race|religion|ethnicity|age|ages|nationality|background|backgrounds|family|familial|demographics|national|marital|disability|income|gender|sex|orientation|who)`,
    `(i|we) (have|keep|hold|collect|store|track) no (${opinions}) (on|about|regarding|for|as to)`,
    ...negativas(diga),
    'no (discriminamos|discrimino) [a|por|contra]',
    '[but|just|and|though] not (how|whether|which|who) (good|safe|well|lives|it|they|the|is)',
  ],
  asking: [],
  back: [
    ...rejectedBefore(speak),
    ...leftTo(someSource),
    `(${informed}|dudas|preguntas|son|es|ask|consult|talk to) ~2 (for|to|para|con|an|a) ~3 (attorney|lawyer|abogado|abogada|hud|housing counselor)`,
    ...negadas,
    ...yoursBefore,
    ...suya,
    `(lo mejor|mejor|puede|pueden|le sugiero|conviene) [es|seria] (consultar|revisar|ver|checar|preguntar|buscar) [con|en|a] [la|el|los|las] ~2 (policia|distrito|pagina|sitio|datos|censo|condado|ciudad)`,
  ],
  itself: [
    ...yours,
    ...published,
    `(la|el) (policia|distrito|condado|ciudad|estado|censo) ~1 (publica|tiene|ofrece|puede|comparte) ~3 (datos|mapas|estadisticas|informacion|reportes|calificaciones|cifras|incidentes|delitos)`,
  ],
  none: praises,
}

const whether =
  'whether|if|what|whats|which|how|when|who|where|about|regarding|on|through|over|for|to|the|any|your|you|before|prior|first'
const speaks =
  '(speak|speaking|comment|commenting|discuss|discussing|talk|characterize|describe|describing|advise|advising|rate|rank|judge|evaluate|opine|respond|share|say|tell|answer|give|offer|provide|promise|guarantee|predict|predicting|assure|weigh|guess|guessing|state|estimate|estimating|speculate|verify|confirm|interpret|vouch|know|knows|recommend|make promises|making promises|make guarantees|make any promises|quote|calculate|determine|forecast|foresee|see the future|time the market|commit|control|help with|get into|have answers|have an answer)'
const consult =
  '(ask|asking|consult|consulting|contact|check with|talk to|talk with|speak with|speaking with|talking to|speak to|see|reach out to|confirm with|verify with|call|connect with|meet with|work with|get with|sit down with|run it by|run that by|run this by|turn to|hire|touch base with|let|have)'
const informs =
  '(tell|tells|advise|advises|explain|explains|answer|answers|confirm|help|helps|say|says|review|reviews|prepare|prepares|walk|give|gives|determine|determines|let|go over|goes over|look|looks|decide|decides|know|knows|figure|figures|run|runs|set|sets|calculate|calculates|sort|work|works|guide|weigh|speak|point|see|clarify|handle|handles|spell|show|estimate)'
const consulte = `(consulte|consulta|consultelo|consultar|consultarlo|pregunte|preguntele|preguntar|hable|hablar|verlo|ver|checar|revisar|revise|platique|platicarlo|acercarse|acudir|decide|decidir|define|ver|vea) ~1 [con|a] [su|un|una|el|la] (${expert})`
const puede = `(${expert}) ~2 (puede|pueden|podra|podria|podrian|sabra|dira|explicara|ayuda|ayudara|explica|decide|determina|sabe|orienta|orientara|prepara|dice)`

/** The same for advice, which a speaker may also leave to an expert: “a lender can tell you whether”, but not “tell you that”. */
export const declinationsOfAdvice: Declinations = {
  on: [
    ...rejections(speaks),
    ...rejections(topic),
    `la ley [de vivienda] [justa] no (nos|me|le) (deja|permite|autoriza)`,
    `(no one|nobody|noone|neither [of us]|no agent|no lawyer|no lender|none of us|anyone) ~2 (can|could|should|may|knows|will|would|has|really knows) ~1 ${speaks}`,
    `(no one|nobody|noone|who|none of us|nobody here) ~1 (knows|can know|can say|can tell|could know)`,
    `(no|any|not a|never a|without|without any|arent any|isnt a|isnt any|not any|without a|make no) (guarantee|guarantees|promise|promises|assurance|certainty|crystal ball|way to know|way of knowing|way to tell|way to predict)`,
    `(no|any|isnt a|isnt any) way ~4 (know|tell|say|predict) [for sure] (whether|if|what|how|which)`,
    `no way ~3 (know|promise|guarantee|tell|predict|say|be sure)`,
    `(hard|difficult|tough|impossible|tricky) (for anyone|for me|for anybody|for us|for any agent|to) ~1 (to|say|know|predict|tell|guess)`,
    `(im not|not|isnt|i am not) [really|quite|entirely|at all] (sure|certain|clear) (whether|if|what|how|which|about)`,
    `(i|we) (dont|do not) know (whether|if|what|how|which|where)`,
    ...negativas(
      '(hablar|comentar|opinar|decir|decirle|decirte|dar|darle|garantizar|garantizarle|prometer|prometerle|asegurar|asegurarle|aconsejar|aconsejarle|asesorar|recomendar|recomendarle|calificar|describir|predecir|responder|discutir|calcular|estimar|interpretar|saber)',
    ),
    '(nadie) [le] (puede|podria|podra|sabe|puede saber) [garantizar|garantizarle|prometer|asegurar|predecir|decir|saber]',
    'no (hay|existe|tenemos|tengo|damos|doy) [ninguna|ningun|una] (garantia|garantias|promesa|promesas|manera de saber|forma de saber|certeza)',
    'no (se|sabemos|sabria decirle) (si|cuanto|que|cual|como)',
  ],
  asking: [
    `${consult} ~1 [with] ${someExpert} (${whether})`,
    `(assessor|assessors|county|irs|city|state) ~1 (sets|handles|decides|determines|publishes|explains|explain|has|keeps|bills|collects|answers) ~3 (tax|taxes|exemption|exemptions|assessment|assessments|rules)`,
    `${consult} ~1 [with] [the|your] (police|school|irs|county|assessor|hud) (${whether})`,
    `(can|could|will|would|ll|happy to|glad to) (explain|go over|walk you through) (what|how|whether|if)`,
    `(${expert}) ~3 [can|could|would|will|should|may|might|is able to|are able to|ll|d be able to|who can|has to|have to|needs to|would have to|has to be the (one|person) to|have to be the (one|person) to|needs to be the (one|person) to|would be the (one|person) to|is the (one|person) to|is the (one|person) who can|are the ones to] [best|better|also|then|always|usually] ${informs} [you|with|it|us|out|at|through|to you] [what|whether|if|which|how|when|who|where|about|regarding|on|through|over|for|the|any|your|all|options|numbers|more]`,
    `(curious|wondering|wonder|wanting to know|trying to (figure out|find out|decide|learn)|hoping to (know|learn|find out)|you asked|asking|unsure|want to know|like to know|interested in|wants to know|find out|questions) [about] (what|how much|whether|if|how|which|about|when|who)`,
    `(le gustaria saber|quiere saber|tiene dudas|tiene preguntas|preguntas|dudas) (si|sobre|cuanto|de|que)`,
    `[so that] (you|they) (can|could) (decide|judge|figure out) (${whether})`,
    `${consulte} (si|sobre|cuanto|cual|como|acerca|que|de|lo)`,
    `${puede} [se lo|le] (decir|decirle|explicar|explicarle|confirmar|confirmarle|ayudar|ayudarle|informar|indicar|indicarle|aclarar|aclararle|orientar|orientarle|revisar|preparar|prepararle|calcular|dar|darle|si|cuanto|cual|como|sobre|lo|que)`,
  ],
  back: [
    ...rejectedBefore(speaks),
    ...leftTo(someExpert),
    ...leftTo('[the|your] (irs|county|assessor|assessors|seller|sellers|landlord|court)'),
    ...yoursBefore,
    ...negadas,
    ...suya,
    `(is|s|are|be) between you and ${someExpert}`,
    `(something|question|questions|decision|one) [that] ~1 ${someExpert} (would|can|could|will|should|has to|have to|needs to|must) ~2`,
    `(pregunteselo|preguntaselo|consulteselo|consultelo|preguntarselo|preguntelo|vealo|platiquelo|hablelo) ~2 (con|a|al) [su|un|una|el|la] (${expert})`,
    `(is|s|are|being|hinges|turns) ~1 (anyones guess|impossible to know|impossible to predict|impossible to say|hard to predict|hard to say|hard to know|unpredictable|unknowable|unknown|uncertain|never guaranteed|not guaranteed|never certain)`,
    `(isnt|arent|not|never|nothing is|is not) [ever|something thats|something anyone can] (guaranteed|certain|promised|predictable|predict|guarantee|promise)`,
    `(is|are|s|its|thats) ~2 (legal|tax|lending|financial|law|accounting) (matter|matters|question|questions|issue|issues|topic|topics|decision|territory|advice|call)`,
    `(is|are|has|have|get|gets|can be|can get) ~1 (complicated|complex|tricky|strict rules|specific rules|special rules|their own rules|its own rules|technical|nuanced|case by case|specific to your)`,
    `(depends|depend|varies|vary|dependent) (on|from|by|with)`,
    `(es|son|seria|eso es|sea) [algo|una pregunta|un tema|cosa|cosas|preguntas|tema|temas|asunto|mejor] ~4 (con|para|de|por|a) [su|un|una|el|la] (${expert})`,
    `(depende|dependen|corresponde|toca) [de|a|al|del] [la|el|su|cada|un] (${expert}|usted|situacion|caso|vendedor|dueno)`,
    `(lo mejor|mejor|la persona indicada|quien sabe|quien puede|persona adecuada|lo indicado) ~3 (${expert})`,
    `(se lo|eso lo|lo) (puede|podria|decide|dice|dira|debe|tiene que|ve|revisa|define|determina|explica|calcula) [usted] [decir|explicar|confirmar|ver|decidir|revisar|consultar|calcular] [con] [el|la|un|una|su] (${expert})`,
  ],
  itself: [
    ...yours,
    `(not|isnt) (a|an|your) [tax|legal|financial|licensed|mortgage] (advisor|adviser|attorney|lawyer|accountant|cpa|lender|appraiser|professional|expert)`,
    `${consult} [with] ${someExpert}`,
    `${consult} [with] [the|your] (irs|county|assessor|assessors|hud)`,
    `[im sure|sure] [that] [the|our|your|a] (${expert}) (can|could|would|will|should) [best] ${informs} [you|with|it|us]`,
    `(hear|get|check|request|need|want|wait for) ~2 (from|with) [a|an|your|the] [tax|real|estate|licensed] [estate] (${expert})`,
    `what (do|are|would) you (looking|want|like|prefer)`,
    'no (soy|somos) (abogado|abogada|contador|contadora|asesor|asesora|prestamista)',
    consulte,
    `${puede} [decir|explicar|confirmar|ayudar]`,
  ],
  none: praises,
}

/** A part of a sentence that begins with one of these and ends in a declination only asks: “whether it is safe I can't say”. */
export const leads =
  'whether how which who what whats questions question quien quienes cual cuales cuanto cuanta que si anything everything matters concerns sobre searching picking choosing predicting guessing timing pricing'.split(
    ' ',
  )

/** A topic follows these: “for tax questions, ask a CPA”. */
export const prefaces = 'for about regarding on concerning as when with para en acerca respecto'.split(' ')

/** After one of these, a sentence turns to something else. */
export const turns = 'but however though although still yet pero aunque embargo'.split(' ')

/** After a comma or a word such as “and”, one of these starts a new sentence. */
export const beginnings =
  'its it theyre they this thats theres youll youd everyone honestly between es son hay'.split(' ')
/** These do so only after the word, not after a comma. */
export const beginningsAfterAnd =
  'we weve were you youre there here i im ive ill id lets just try dont stay avoid esta esto'.split(' ')
export const ands = 'and so because since as y porque ya'.split(' ')

/** Words of certainty. A text that uses one does not leave the question to others. */
export const certainties =
  'guaranteed definitely certainly absolutely surely undoubtedly easily definitivamente garantizado'.split(
    ' ',
  )
