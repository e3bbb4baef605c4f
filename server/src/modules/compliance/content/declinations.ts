/**
 * How far a declination reaches. `on`: from where it stands to the end of its part of the sentence. `asking`: the same, as long as
 * nothing is certain. `back`: the words before it, too, as “safety is something I can't discuss”. `itself`: no further than its own
 * words. `none`: it sounds like one, and is none.
 */
export type Extent = 'on' | 'asking' | 'back' | 'itself' | 'none'
export type Declinations = Readonly<Record<Extent, readonly string[]>>

const us =
  'i|we|me|us|ai|and|so|sorry|unfortunately|afraid|assistant|assistants|agent|agents|realtor|realtors|broker|brokers|team|office'
const adverbs =
  'really|legally|even|personally|honestly|unfortunately|just|simply|also|actually|probably|ever|therefore|rather'
const cant = '(cant|cannot|couldnt|shouldnt|mustnt|(can|could|may|should|must) (not|never))'
const wont = '(wont|dont|never|wouldnt|(will|would|do) not|prefer not to|try not to|choose not to)'
const able =
  'able|allowed|permitted|legally|supposed|going|qualified|licensed|comfortable|authorized|position|one|person|for me|my place|something'

/** What one declines to say: verbs that need no more than a topic. */
const discuss =
  'comment|commenting|discuss|discussing|characterize|characterizing|describe|describing|advise|advising|steer|steering|rate|rating|rank|ranking|judge|judging|evaluate|evaluating|assess|assessing|opine|opining|weigh|speculate|guess|estimate|predict|verify|confirm|interpret|vouch|(guarantee|promise|assure) (that|anything|any|the)|answer (questions|that|this|whether|how)|respond to (questions|that|this)|(speak|speaking|talk|talking) (about|on|of)'
const asked = 'whether|if|how|which|what|who|where|anything|much|more|about|on|for'
const opinions =
  'opinion|opinions|information|info|advice|guidance|details|data|statistics|judgment|judgments|assessment|assessments|ratings|comments|views|recommendations|characterizations|statements|claims'
const say = `(say|saying|tell|telling|share|sharing|know|state|offer|provide|provided|give) [you|with you|for you|for sure|exactly] (${asked})`
const opine = `(give|giving|offer|offering|provide|providing|share|sharing|have|make|form|express) [you|out] [any|an|a|my|our|specific|personal|professional] [personal|professional|specific|such] (${opinions})`
const topic = `(${discuss}|${say}|${opine})`
const speak = `(${topic}|speak|talk|speaking|talking)`

/** Those of a person who may not, or will not, do what `verb` says. */
const rejections = (verb: string, willed: string): string[] => [
  `(${us}) [${adverbs}] ${cant} [${adverbs}] ${verb}`,
  `(${us}) [${adverbs}] ${wont} [${adverbs}] ${willed}`,
  `(i|we) (have to|must|need to|should|will|ll|try to) (avoid|decline to|refrain from) ${verb}`,
  `(im|i am|am|are|were|arent|isnt|is) [${adverbs}] [not] [${adverbs}] (unable|prohibited|barred|forbidden) [${adverbs}] [to|from] ${verb}`,
  `(im|i am|am|are|were|arent|isnt|its|is) [${adverbs}] [not] [${adverbs}] not ~2 (${able}) [i|we|that] [to|from|can|in|for] [${adverbs}] ${verb}`,
  `(im|am|are|were) not ~2 (${able}) [to|from|in] [${adverbs}] ${verb}`,
  `(arent|isnt) ~2 (${able}) [i|we|that] [to|from|can|in] [${adverbs}] ${verb}`,
  `(dont|doesnt|do not|does not|wont|not) (allow|permit|let|allowed|permitted) (me|us|agents) [to] ${verb}`,
  `(prevent|prevents|prohibit|prohibits|keep|keeps|bar|bars|forbid|forbids|stop|stops) (me|us|agents) from ${verb}`,
]

const topics =
  'something|anything|nothing|topic|topics|subject|subjects|matter|matters|thing|things|question|questions'
/** The same after what they decline to speak of. */
const rejectedBefore = (verb: string): string[] => {
  const spoken = `[${adverbs}] (${verb}|say|tell|answer|share|give|know|judge|promise)`
  return [
    `(${topics}) [that|which] (i|we|im|were|agents) [am|are] [${adverbs}] (${cant}|${wont}|not (${able}) to|unable to) ${spoken}`,
    `(isnt|arent|not|never) [a|an] (${topics}) [that|which] (i|we|agents) (can|could|may|(am|are) (${able}) to) ${spoken}`,
  ]
}

/** What only sounds like a rejection: praise, and what cannot wait. */
const praises: readonly string[] = [
  `[${us}] [${adverbs}] (${cant}|${wont}) [${adverbs}] (say|tell|speak|talk|recommend|stress|emphasize|rate|describe|praise|express) [you|it|them|this|more|too|of it|about it|good things|to you] [more|too] (enough|highly)`,
  `[${us}] [${adverbs}] (${cant}|${wont}) [${adverbs}] (say|tell|describe|express|share) [you|to you|in words] (how|what) [a|very|so] (much|many|happy|excited|glad|thrilled|lucky|pleased|proud|often|highly|great|amazing|wonderful|fantastic|excellent|awesome|perfect|lovely|beautiful|incredible|outstanding)`,
  `(i|we) (dont|do not) know [of] (a|any|anyone|anybody|many)`,
]

const expert =
  'attorney|attorneys|lawyer|lawyers|accountant|cpa|lender|lenders|bank|banker|advisor|adviser|professional|agent|appraiser|broker|officer|specialist|advisors|abogado|abogada|contador|contadora|prestamista|banco|asesor|asesora|agente'
const leftTo: readonly string[] = [
  `(question|questions|matter|topic|something|decision|conversation|best left|best answered|better left) ~2 (for|to|with|by) (your|a|an|the) [own|real|estate|tax|licensed|loan|mortgage] (${expert}|police)`,
  `(judge|decide|see|find out|research|look into) for yourself`,
  `(you|youd) [would|ll] (have|need|want) to (judge|decide|research|visit)`,
]

/** Where what nobody here speaks of is published. */
const published: readonly string[] = [
  `(ask|contact|call|check with|reach out to|speak with|speak to|talk to) [the|your] [local|city|county] (police|sheriff|school|schools|school district|district) [department|district|office] [directly] (about|for|on|regarding) ~2 (crime|safety|ratings|quality|rankings) [rate|rates|statistics|data|information|levels] [in|of|for] [the|that] [area|neighborhood]`,
  `for [local|area|questions about|information on|information about] (crime|safety|school|schools) [rate|rates|statistics|information|data|ratings|quality|questions] [please|you can] (contact|ask|check|see|visit|consult|call|look at)`,
]

const diga =
  '(hablar|hablarle|comentar|opinar|discutir|(calificar|describir|asegurar|garantizar|prometer|confirmar|predecir) [que|el|la|los|las|un|una]|responder [preguntas]|(decir|decirle|decirte|decirles|saber|compartir) [con usted] (si|que|cual|cuales|quien|quienes|como|cuanto|cuan|donde|nada|mas|lo|sobre)|(dar|darle|darte|ofrecer|ofrecerle) [una|un|mi|ninguna] (opinion|opiniones|informacion|consejo|consejos|datos|asesoria|recomendaciones))'
const negativas = (verbo: string): string[] => [
  `[por ley] no [le|les|te] (puedo|podemos|debo|debemos|se me|se nos|me|nos) [es|esta|permite|permiten|corresponde] [permitido|posible] ${verbo}`,
  `[por ley] no (estoy|estamos) [autorizado|autorizada|autorizados] [para|a] ${verbo}`,
  `no (opino|opinamos|comento|comentamos|hablamos|hablo) (de|del|sobre|acerca)`,
]

/** A person who says that they may not speak to something names it, and says nothing of it: of housing, only in the first person. */
export const rejectionsOfHousing: Declinations = {
  on: [
    ...rejections(speak, topic),
    `(cant|cannot|able to|allowed to|unable to|dont|wont) recommend (a|an|one|any|specific|particular|certain) (neighborhood|neighborhoods|area|areas|school|schools|one) (based on|by|over|because of|on the basis of)`,
    `(${us}) [${adverbs}] (dont|do not|never|cant|cannot|wont|not) [${adverbs}] (discriminate|steer) [anyone|you|buyers|people|in any way] (against|by|based on|on|because of|over|for|to|toward|towards)`,
    ...negativas(diga),
    'no (discriminamos|discrimino) [a|por|contra]',
  ],
  asking: [],
  back: [
    ...rejectedBefore(speak),
    'es algo (que|de lo que|sobre lo que) no (puedo|podemos|debo) (hablar|decir|comentar|opinar)',
  ],
  itself: [...leftTo, ...published],
  none: praises,
}

const whether = 'whether|if|what|which|how|when|who|where|about|regarding|on|through|over'
const speaks =
  '(speak|speaking|comment|commenting|discuss|discussing|talk|characterize|describe|describing|advise|advising|rate|rank|judge|evaluate|opine|respond|share|say|tell|answer|give|offer|provide|promise|guarantee|predict|assure|weigh|guess|state|estimate|speculate|verify|confirm|interpret|vouch|know|recommend|make promises)'
const consult =
  '(ask|consult|contact|check with|talk to|talk with|speak with|speak to|see|reach out to|confirm with) [with] (your|a|an|the|our) [own|real|licensed|estate|tax|loan|mortgage|local|qualified]'
const informs =
  '(tell|advise|explain|answer|confirm|help|say|review|prepare|walk|give|determine|let|go over|look|decide)'
const consulte = `(consulte|consulta|pregunte|preguntele|hable|hablar|consultar) [con|a] [su|un|una|el|la] (${expert})`
const puede = `(${expert}) [le|te|se|se lo] (puede|pueden|podra|podria)`

/** The same of advice, which one may also leave to whom it belongs: “a lender can tell you whether”, but not “tell you that”. */
export const declinationsOfAdvice: Declinations = {
  on: [
    ...rejections(speaks, speaks),
    `(no one|nobody|noone|neither [of us]) (can|could|should|may) [${adverbs}] ${speaks}`,
    ...negativas(
      '(hablar|comentar|opinar|decir|decirle|decirte|dar|darle|garantizar|prometer|asegurar|aconsejar|asesorar|recomendar|calificar|describir|predecir|responder|discutir)',
    ),
    '(nadie) puede (garantizar|prometer|asegurar|predecir|decir)',
  ],
  asking: [
    `${consult} (${expert}|police|school) (${whether})`,
    `(${expert}) [can|could|would|will|should] [best] ${informs} [you|with|it|us] (${whether})`,
    `[so that] (you|they) (can|could) (decide|judge|figure out) (${whether})`,
    `${consulte} (si|sobre|cuanto|cual|como|acerca)`,
    `${puede} (decir|decirle|explicar|explicarle|confirmar|ayudar|informar|indicar|aclarar) (si|cuanto|cual|como|sobre)`,
  ],
  back: rejectedBefore(speaks),
  itself: [
    ...leftTo,
    `(not|isnt) (a|an|your) [tax|legal|financial|licensed|mortgage] (advisor|adviser|attorney|lawyer|accountant|cpa|lender|appraiser|professional|expert)`,
    `${consult} (${expert})`,
    `[im sure|sure] [that] [the|our|your|a] (${expert}) (can|could|would|will|should) [best] ${informs} [you|with|it|us]`,
    `what (do|are|would) you (looking|want|like|prefer)`,
    'no (soy|somos) (abogado|abogada|contador|contadora|asesor|asesora|prestamista)',
    consulte,
    `${puede} [decir|explicar|confirmar|ayudar]`,
  ],
  none: praises,
}

/** A part of a sentence that begins so asks, and states nothing, where it ends in a declination: “whether it is safe I can't say”. */
export const leads = 'whether how which who what questions question quien quienes cual cuales'.split(' ')

/** After these a sentence goes on to something else. */
export const turns = 'but however though although still yet pero aunque embargo'.split(' ')

/** After a comma or a word such as “and”, these begin a sentence of their own. */
export const beginnings =
  'its it theyre they this thats theres youll youd everyone honestly between es son hay'.split(' ')
/** And these after the word alone. */
export const beginningsAfterAnd = 'we weve were you youre there here i im esta esto'.split(' ')
export const ands = 'and so because since as y porque ya'.split(' ')

/** A text that leaves it to others is sure of nothing. */
export const certainties =
  'guaranteed definitely certainly absolutely surely undoubtedly easily definitivamente garantizado'.split(
    ' ',
  )
