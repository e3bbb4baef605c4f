const speaks =
  'speak|speaking|comment|commenting|discuss|discussing|talk|characterize|describe|describing|advise|advising|steer|steering|rate|rank|judge|discriminate|evaluate|opine|respond|share|say|tell|answer|give|offer|provide|promise|guarantee|predict|assure|weigh|guess|state|estimate|speculate|verify|confirm|interpret|vouch|know'
const expert =
  'attorney|attorneys|lawyer|lawyers|accountant|cpa|lender|lenders|bank|banker|advisor|adviser|professional|agent|appraiser|broker|officer|specialist|advisors|abogado|abogada|contador|contadora|prestamista|banco|asesor|asesora|agente'

/** A person who says that they may not speak to something names it, and says nothing of it. */
export const declinations: readonly string[] = [
  `(cant|cannot|wont|shouldnt|couldnt) [really|legally|even|personally|honestly] (${speaks})`,
  `(i|we|can|could|should|may) (not|never) [really|legally] (${speaks})`,
  `(i|we) (dont|do not|never) [really|legally] (comment|discuss|speak|advise|discriminate|give|offer|provide|characterize|rate|judge|know|steer|make promises)`,
  `(cant|cannot|able to|allowed to|unable to|dont|wont) recommend (a|an|one|any|specific|particular|certain)`,
  `(do not|dont|never|not) (discriminate|steer)`,
  `(not|unable|prohibited|isnt|arent|barred|never|not in a position) [really] [able|allowed|permitted|legally|supposed|going|qualified|licensed|position|something|for me] [i|we|that] [to|from|can] [really|legally|even] (${speaks})`,
  `not (able|allowed|permitted|qualified|licensed|in a position) to`,
  `(not|isnt) (a|an|your) [tax|legal|financial|licensed|mortgage] (advisor|adviser|attorney|lawyer|accountant|cpa|lender|appraiser|professional|expert)`,
  `(fair|equal) housing (law|laws|rules|act|regulations|opportunity|guidelines)`,
  `(regardless|irrespective) of`,
  `(no one|nobody|noone|neither) [of us] (can|could|should|may)`,
  `(question|questions|matter|topic|one|something|best left|decision|that|it|leave) ~2 (for|to|with) (your|a|an|the) [own|real|estate|tax|licensed|loan|mortgage] (${expert})`,
  `(ask|consult|contact|check with|talk to|talk with|speak with|speak to|see|reach out to|confirm with) [with] (your|a|an|the) [own|real|licensed|estate|tax|loan|mortgage|local|qualified] (${expert}|police|school)`,
  `(${expert}) [can|could|would|will|should] [best] (tell|advise|explain|answer|confirm|help|say|review|prepare|walk|give|determine|let) [you|that|with|it]`,
  `(judge|decide|see|find out|research|look into) for yourself`,
  `(you|youd) [would|ll] [have|need|want] [to] (judge|decide|research|visit)`,
  `what [do|are|would] you (looking|want|like|prefer)`,
  `no (puedo|podemos|debo|debemos|me|nos) [es|esta|permite|permiten] [permitido|posible] [hablar|comentar|opinar|decir|decirle|decirte|dar|darle|garantizar|prometer|asegurar|aconsejar|asesorar|recomendar|calificar|describir|predecir|responder|discutir]`,
  `no (soy|somos) (abogado|abogada|contador|contadora|asesor|asesora|prestamista)`,
  `(sin importar|independientemente)`,
  `(nadie) puede`,
  `(consulte|consulta|pregunte|preguntele|hable|hablar|consultar) [con|a] [su|un|una|el|la] (${expert})`,
  `(${expert}) [le|te|se|se lo] (puede|pueden|podra|podria)`,
  `no (discriminamos|discrimino)`,
  `(ley|leyes) de (vivienda justa|igualdad)`,
]

/** After these a sentence goes on to something else. */
export const turns: readonly string[] = [
  'but',
  'however',
  'though',
  'although',
  'still',
  'yet',
  'pero',
  'aunque',
  'embargo',
]

/** After a comma, these begin a sentence of their own. */
export const turnsAfterComma: readonly string[] = [
  'its',
  'it',
  'theyre',
  'they',
  'this',
  'thats',
  'theres',
  'youll',
  'youd',
  'everyone',
  'honestly',
  'between',
  'es',
  'son',
  'hay',
]
