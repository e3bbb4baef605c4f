/** Traits that must not matter. A list of them means that everyone is welcome. */
const trait =
  '(race|color|creed|religion|religions|faith|faiths|sex|gender|gender identity|orientation|sexual orientation|family status|familial status|family size|disability|disabilities|handicap|national origin|origin|nationality|ethnicity|ancestry|age|marital status|military status|veteran status|source of income|income|background|backgrounds|accent|language|family)'
const rasgo =
  '(raza|color|credo|religion|sexo|genero|identidad|orientacion|orientacion sexual|estado familiar|situacion familiar|discapacidad|origen|origen nacional|nacionalidad|edad|estado civil|ingresos|fuente de ingresos|familia|procedencia)'
const list = (one: string, joint: string, most: number) =>
  `${one} ${`[[${joint}] ${one}] `.repeat(most - 1).trim()}`

/** Statements that no group is treated differently from others. */
export const equality: readonly string[] = [
  `(regardless of|irrespective of|no matter|whatever|without regard to|of (any|every|all)) [their|your|anyones|his|her|the] ${list(trait, 'or|and', 9)}`,
  `discriminate (by|for|on|over|based on|against|because of|on the basis of) [any] ${list(trait, 'or|and', 9)}`,
  `(sin importar|independientemente de|discriminamos por|discriminamos por motivos de|no (elegimos|escogemos|seleccionamos|filtramos) [a] [los|las] [inquilinos|inquilinas|personas|solicitantes|compradores] por|sea cual sea|de cualquier|de toda|de todo|sin distincion de) [su|la|el|de la|del] ${list(rasgo, 'o|y|e|ni|u', 9)}`,
  `(never|dont|do not|doesnt|not|wont|cannot|cant) ~1 (consider|considers|look at|use|ask about|take into account|weigh|factor in|judge|choose|screen|select|pick) [anyone|anyones|people|applicants|tenants|buyers|renters|a] [by|on|for|based on|because of] [their] ${list(trait, 'or|and|by|on', 9)}`,
  `(regardless of|no matter|whether or not|sin importar|no importa) (whether|if|who|how many|they|you|si|cuantos|quien) ~5`,
  `(under|per|by|following|because of|due to) [the|federal|state|our] (fair|equal) housing (law|laws|act|rules|regulations|guidelines)`,
  `(steering|discrimination|discriminating|discriminate) ~2 (is|would be|s) (illegal|unlawful|against the law|against fair housing|prohibited)`,
  `no (limit|limits|restriction|restrictions|rule|rules|cap) ~2 (children|kids|families|age|ages)`,
  `(city|citys|local|legal|state) [s] occupancy [code|codes|limit|limits|rules]`,
  `(any|all|every|each) [lawful|legal|verifiable|documented] (source|sources) of income`,
  `(service|assistance|support|guide) [and|or] [assistance|service|support|emotional] (animals|animal|dogs|dog) ~1 (not|arent|isnt|never|exempt) [from] [subject to|charged|considered|treated as|counted as|pay|from] ~3 (pet|pets) [fee|fees|deposit|rent|rule|rules|policy]`,
  `(service|assistance|support|guide) [and|or] [assistance|service|support|emotional] (animals|animal|dogs|dog) (are|is) (handled|covered|protected|treated|allowed) ~3 (law|laws|accommodation|accommodations|separately)`,
  `(service|assistance|support|guide) [and|or] [assistance|service|support|emotional] (animals|animal|dogs|dog) (is|are|will be) [always|also|certainly|more than|very|of course] (welcome|allowed|fine|permitted|exempt|accepted|okay|ok) [here] [and|with|so|at] [theres|there is|there are|wed charge|we charge|you pay|youd pay] (no|without) ~1 (fee|fees|deposit|rent|charge|charges|cost)`,
  `(perro|perros|animal|animales) (de (servicio|asistencia|apoyo)|guia) [emocional] (es|son|esta|estan|sera) [muy|siempre|mas que] (bienvenido|bienvenidos|permitido|permitidos|aceptado|aceptados) [y|aqui] (no hay|sin|no se cobra|no se le cobra|no paga|no pagan) ~1 (cargo|cargos|deposito|costo|cuota)`,
  `(service|assistance|support|guide) [and|or] [assistance|service|support|emotional] (animals|animal|dogs|dog) (is|are) [always|of course] (exempt|excluded|excepted|an exception|(not|never) charged)`,
  `(request|requests|asked) for [a|the|your|some] (grab bars|ramp|accommodation|accommodations|modification|modifications|accessible parking|interpreter)`,
  `no (discrimination|preference|restrictions|limit|age limit|age restriction) [on|about|for|as] [who|age|to]`,
  `(service|assistance|support|guide) [and|or] [assistance|service|support|emotional] (animals|animal|dogs|dog) [always|of course] (arent|are not|isnt|is not|never|dont|do not|doesnt) ~1 (pets|pet|pets and are welcome)`,
  `(doesnt|dont|does not|do not|no) [allow|permit|accept] (pets|dogs|cats) ~3 (but|except|though|other than|besides) ~3 (service|assistance|support) [and|or] [assistance|service|support|emotional] (animals|animal|dogs) [are|of course|certainly] [not pets and are|always] [fine|welcome|allowed|okay|ok|permitted|exempt|excepted|an exception|different]`,
  `(mascotas|animales) ~3 (pero|salvo|excepto|menos) ~2 (animales|perros) de (asistencia|servicio|apoyo) [emocional] [si|se|son] [permiten|aceptan|bienvenidos|no cuentan]`,
  `(animales|perros) de (asistencia|servicio|apoyo) [emocional] (no pagan|no se les cobra|no se cobra|no tienen que pagar|estan exentos|no llevan) ~4 (deposito|cargo|cargos|cuota|renta) [de|por] [mascota|mascotas]`,
  `(animales|perros) de (asistencia|servicio|apoyo) [emocional] (si|no son mascotas|no cuentan|siempre)`,
]

const group =
  '((applicants|tenants|renters|families|people|households|anyone|everyone|everybody|those) (with|who have|who use|using|on) [any|all|every|young] (children|kids|disabilities|a disability|[housing] (vouchers|voucher)|section (8|eight)|[rental] assistance|(service|assistance|support) animals|pets|lawful)|kids|children|families [with (kids|children|pets)]|everyone|everybody|anyone|all|animals|dogs|pets|(service|assistance|support|emotional support|guide) (animals|dogs)|[housing|rental] (vouchers|voucher|assistance) [holders]|section (8|eight) [applicants|vouchers|tenants|renters]|veterans|seniors|students|couples|singles|roommates|buyers|renters|applicants|households|all (ages|families|people|households|applicants|buyers|backgrounds))'
const grupo =
  '(ninos|animales [de (servicio|asistencia|apoyo) [emocional]]|mascotas|todos|todas|familias|veteranos|estudiantes|[los|las] (vales|cupones) [de (vivienda|renta)]|voucher|vouchers|[la] seccion (8|ocho)|personas de todas|gente de todas|solicitantes)'

/** Statements that a group is welcome. Harmless unless denied. */
export const welcomes: readonly string[] = [
  `${group} [and (kids|families|pets|everyone)] [is|are|will be] [all|always|also|very|more than|most|certainly|of course|just as] (welcome|welcomed|fine|ok|okay|allowed|accepted|invited|considered|treated the same|treated like any other|(count|counts) (the same|as income|like any|toward))`,
  `(accept|accepts|accepting|welcome|welcomes|welcoming|take|takes|honor|honors|open to|works with|allows|allow|participates in|approved for) [the|all|any|every|both|with|of|our] ${group} [of (every|all) (kind|kinds|backgrounds)]`,
  `(happy|glad|fine|okay|ok) (with|to (accept|take|work with|welcome)) ${group}`,
  `(your|a|the) (voucher|vouchers) ~2 (can be used|works|work|is accepted|is fine|is welcome|applies|would work)`,
  `(thanks|thank you) for your service`,
  `(aceptamos|acepta|aceptan|se aceptan|recibe|reciben|bienvenidos|se permiten|admite|admiten) [el|la|los|las|con] [perros|gatos|mascotas] [y|o|gatos] ${grupo}`,
  `${grupo} [siempre|tambien] (son|estan|es) [muy|siempre|tambien] (bienvenidos|bienvenidas|bienvenido|aceptados|aceptadas|permitidos)`,
]

/** What the contact said about themselves. Harmless unless its clause denies them something. */
export const echoes: readonly string[] = [
  `(if|when|whether) you (have|need|use) [a|an] (disability|wheelchair|walker|service animal|assistance animal|accommodation|voucher|ramp|interpreter) [or|and|a|an|need|other] ~3 [let|tell|please]`,
  `you (mentioned|said|noted|told me|told us|asked about|asked for|asked whether|wrote|brought up) [that|you|to|being|have|about|use|need|wanted|want|near] ~5 (wheelchair|walker|voucher|section 8|kids|children|son|daughter|church|mosque|synagogue|temple|service animal|service dog|baby|veteran|military|service)`,
  `(youre|you are|as a|being a) [a|an] ~1 (veteran|student|senior|retiree|single (mom|dad|parent)) ~1 (looking|moving|searching|relocating|who|youd|you)`,
  `(si|cuando) (necesita|requiere|usa|tiene|necesitan) ~2 (adaptacion|adaptaciones|discapacidad|silla de ruedas|interprete|ayuda|acceso) [por|para] [una|su|alguna] [discapacidad|silla de ruedas]`,
  `(usted|ustedes) [me] (menciono|dijo|comento|mencionaron|pidio|usa|tiene) [que|usted|usa|tiene] ~3 (silla de ruedas|vale|vales|ninos|hijos|hijo|hija|iglesia|bebe)`,
]
