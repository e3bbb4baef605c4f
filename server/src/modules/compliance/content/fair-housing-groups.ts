import type { Category } from './categories.ts'

const kids =
  'kid|kids|child|children|minors|infant|infants|baby|babies|toddler|toddlers|teen|teens|teenager|teenagers|little ones|newborns'
const person =
  'people|person|persons|folks|couple|couples|family|families|household|households|tenant|tenants|renter|renters|buyer|buyers|resident|residents|neighbor|neighbors|applicant|applicants|individuals|man|men|woman|women|guys|kids|students|roommate|roommates|professionals|owners|homeowners'
const anyone =
  'anyone|anybody|someone|people|tenants|families|couples|those|renters|applicants|buyers|folks|person|persons|women|residents'
const colors =
  'white|black|brown|caucasian|colored|asian|hispanic|latino|latin|arab|arabic|indian|chinese|korean|japanese|vietnamese|filipino|mexican|polish|irish|italian|german|russian|ukrainian|greek|african|american|immigrant|foreign|native american|middle eastern|pakistani|persian|iranian|haitian|somali|nigerian|cuban|puerto rican|dominican|ethnic|minority|biracial|interracial'
const peoples =
  'whites|blacks|caucasians|asians|hispanics|latinos|latinas|mexicans|koreans|filipinos|indians|pakistanis|arabs|iranians|russians|italians|germans|africans|africanamericans|haitians|somalis|nigerians|cubans|dominicans|puerto ricans|immigrants|foreigners|refugees|minorities|noncitizens|illegals|aliens|ukrainians|people of color|african americans'
const faithful =
  'christians|catholics|protestants|evangelicals|jews|muslims|mormons|hindus|buddhists|sikhs|atheists|baptists|believers|nonbelievers|churchgoers'
const faiths =
  'christian|catholic|protestant|evangelical|jewish|muslim|islamic|mormon|hindu|buddhist|sikh|atheist|orthodox|baptist|religious|churchgoing|godly|pious|lutheran|amish'
const women = 'females|women|ladies|girls|female|lady|woman|girl'
const men = 'males|men|gentlemen|guys|boys|bachelors|male|man|gentleman|guy'
const orientations =
  'gay|gays|lesbian|lesbians|homosexual|homosexuals|bisexual|transgender|trans|queer|lgbt|lgbtq|same sex|nonbinary|transsexuals|heterosexual|heterosexuals'
const conditions =
  'disability|disabilities|wheelchair|wheelchairs|walker|mental illness|mental health issues|mental illnesses|mental issues|special needs|mobility issues|mobility problems|autism|hiv|aids|schizophrenia|handicap|handicaps|a disorder|depression|an addiction'

/** Words for the people of a group, in English: phrases that a frame can hold. */
const groups: Readonly<Partial<Record<Category, string>>> = {
  familial_status: `(${kids}|(families|large families|big families|pregnant (women|tenants|people|applicants))|(${anyone}) (with|having|expecting|who have) [any|small|young|little|school age|more|than|two|three|a|an] [than|two|three] (${kids}))`,
  race_or_national_origin: `(${peoples}|(${colors}) [american] (${person})|(${anyone}) (of color|born abroad|from (abroad|other countries|another country|overseas|mexico|india|china|africa)|with [an|a] [foreign|thick|heavy] (accent|accents)))`,
  religion: `(${faithful}|(${faiths}) (${person})|(${anyone}) of [the|our|strong|same|a] [same|different] (faith|religion|church)|people of faith)`,
  sex: `(${orientations}|[single|young|older|quiet|professional|working] (${women}|${men})|(${orientations}) (${person}))`,
  disability: `((disabled|handicapped|crippled|blind|deaf|impaired|mentally ill|mentally disabled|physically disabled|wheelchair bound|autistic) [${person}]|(${anyone}) (in|with|using|who use|on|who have|needing|suffering from) [a|any|an|mental|physical|severe|serious] (${conditions}|crutches|oxygen)|wheelchairs|wheelchair users|(service|assistance|guide|emotional support|support|therapy|seeing eye) (animal|animals|dog|dogs)|recovering addicts)`,
  source_of_income: `(section (8|eight)|(housing|rental|section 8|hud|government|choice|rent|public) [choice|housing|assistance|8|rental] (voucher|vouchers|assistance|subsidies|subsidy|aid|programs|program)|vouchers|voucher|voucher holders|hcv|ssi|ssdi|welfare|welfare recipients|(${anyone}|applicants) (on|with|using|receiving|getting) [a|any|government|public|housing|rental|section] (assistance|welfare|voucher|vouchers|disability|benefits|subsidies|unemployment|8|aid|ssi|food stamps)|(disability|unemployment|social security|welfare|government) (checks|check|benefits|income|payments))`,
  marital_status: `((unmarried|single|divorced|married|separated|cohabiting|widowed) (${person}|mother|mothers|mom|moms|dad|dads|father|fathers|parent|parents)|singles|divorcees|newlyweds|(${anyone}) who (arent|are not|are) married)`,
  military_status: `(military [personnel|${person}]|veteran|veterans|soldiers|soldier|service members|servicemembers|servicemen|(active duty|enlisted) [military|${person}]|reservists|vets|marines)`,
  age: `((young|younger|older|elderly|retired|middle aged|mature|senior) (${person}|adults|adult|ladies|crowd|generation|executives|pair)|seniors|retirees|millennials|gen z|boomers|(college|grad|graduate|university) students|students|senior citizens|(${anyone}) (under|over|above|below|younger than|older than) (25|30|35|40|45|50|60|65|thirty|forty|fifty))`,
}

const many =
  'mostly|mainly|predominantly|primarily|largely|all|almost all|nearly all|many|lots of|a lot of|plenty of|tons of|full of|mainly|not many|few|very few|arent many|hardly any|more and more|majority|a mix of|filled with|home to many|popular with|popular among|popular for'
const prefers =
  'prefer|prefers|preferring|preference for|favor|favors|looking for|seeking|seeks|hoping for|hopes for|hopes to find|want|wants|would like|would love|rather have|rather sell to|rather rent to|rather rent|only rent to|only rents to|only sell to|only accept|only accepts|only take|only takes|only consider|only considers|only renting to|only wants|only want|only have|rent only to|sell only to|limited to|restricted to|reserved for|exclusively for|strictly for|exclusive to|for only|geared toward|geared to|targeted to|catering to|caters to'
const suits =
  'perfect for|ideal for|great for|best for|best suited for|suited to|suited for|suitable for|well suited to|excellent for|wonderful for|good for|fantastic for|meant for|designed for|tailored to|right for|made for|more for|fit for|good fit for|great fit for|match for|place for'
const refuses =
  'wont|doesnt|dont|do not|does not|will not|not|never|cant|cannot|refuse to|refuses to|rather not|wouldnt|isnt|arent|unable to|not comfortable'
const takes =
  'rent|rents|rented|lease|sell|accept|accepts|accepting|take|takes|taking|want|allow|allows|allowing|have|house|consider|considers|approve|permit|deal with|work with|welcome|renting|selling|participate in|honor|approved for|set up for|open to|comfortable renting|comfortable with|tolerate'
const barred =
  'not|arent|isnt|cant|cannot|dont|wouldnt|wont|need not|should not|shouldnt|may not|never|rarely|usually arent|have no place'
const suffers =
  'accepted|allowed|welcome|approved|apply|fit in|comfortable|considered|permitted|qualify|belong|live|wanted|a good fit|a fit|be comfortable|be accepted|be approved|be happy|be considered|fit|work out|count'

/** What states a preference or a limit, whatever the group. */
const frames = (group: string): string[] => [
  `(no|zero) [more|loud|extra|other] ${group} (please|allowed|accepted|permitted|wanted|here|in the|on the|at|above|under|over|upstairs|policy)`,
  `(${refuses}) [really|usually|generally|even|currently|be|to|ever] (${takes}) [to|with|any|out to|it to|units to|from|on] ~1 ${group}`,
  `${group} [are|is|were|would|will|who apply] [really|usually|generally|sadly|unfortunately|also|either] (${barred}) [usually|generally|really|be] [be] (${suffers})`,
  `(${prefers}) [a|an|the|only|to have|to rent to|to sell to] ~1 ${group}`,
  `${group} (only|preferred|wanted|need not apply|exclusively|make better|make the best|make good|make bad|are preferred|are better|are best)`,
  `(${many}) [of|the|other|young|white] ${group}`,
  `(${refuses}) [a|an|really|be|very|the] [good|great|ideal|right|safe|best] (place|suitable|suited|appropriate|ideal|fit|good|recommended|right|safe|equipped|designed|meant|accessible|made|building|choice|match) [for|to] ~1 ${group}`,
]

/** The same where a fit is meant: whom it is perfect for. Not what the law lets say, such as “great for seniors with a ramp”. */
const suiting = (group: string): string =>
  `(${suits}) [a|an|the|any|your|single|busy|active|two|other] ~1 ${group}`

const never: ReadonlySet<string> = new Set(['source_of_income', 'disability', 'military_status'])

const english = Object.fromEntries(
  Object.entries(groups).map(([category, group]) => [
    category,
    [...frames(group), ...(never.has(category) ? [] : [suiting(group)])],
  ]),
)

const genteES =
  'personas|gente|familia|familias|pareja|parejas|inquilino|inquilinos|inquilinas|compradores|residentes|vecinos|hombres|mujeres|huespedes|profesionales'

/** Words for the people of a group, in Spanish. */
const grupos: Readonly<Partial<Record<Category, string>>> = {
  familial_status: `(nino|nina|ninos|ninas|hijos|menores [de edad]|bebes|adolescentes|(familias|parejas|personas|mujeres|gente) [con (ninos|hijos|bebes|menores)|embarazadas|numerosas|grandes]|embarazadas|pequenos)`,
  race_or_national_origin: `(inmigrantes|extranjeros|extranjero|negros|blancos|latinos|hispanos|mexicanos|centroamericanos|venezolanos|asiaticos|chinos|arabes|indios|indocumentados|ilegales|gringos|americanos|afroamericanos|judios|haitianos|(${genteES}) (blanca|blancas|blancos|negra|negras|negros|latina|latinas|latinos|hispana|hispanas|americana|americanos|americanas|extranjera|extranjeras|asiatica|asiaticas|mexicana|mexicanas|de color|sin papeles|indocumentadas))`,
  religion: `(cristianos|catolicos|judios|musulmanes|mormones|evangelicos|ateos|creyentes|hindues|testigos|(${genteES}) (cristiana|cristianas|cristianos|catolica|catolicas|catolicos|creyente|creyentes|religiosa|religiosas|religiosos|de fe|judia|judias|musulmana|musulmanas|evangelica|evangelicas|evangelicos))`,
  sex: `(mujeres|mujer|hombres|hombre|senoritas|senorita|damas|caballeros|caballero|muchachas|chicas|chicos|homosexuales|gays|gay|lesbianas|transexuales|transgenero|(parejas|personas|pareja) (gay|gays|homosexuales|homosexual|del mismo sexo|trans|transgenero|lesbianas))`,
  disability: `(discapacitados|discapacitado|minusvalidos|incapacitados|discapacidades|discapacidad|sillas de ruedas|(personas|gente|inquilinos|alguien) (discapacitadas|discapacitada|discapacitados|con (discapacidad|discapacidades|problemas mentales|enfermedades mentales|silla de ruedas)|en silla de ruedas|enfermas|en sillas de ruedas)|enfermos mentales|(animales|perros|animal|perro) de (servicio|apoyo|asistencia|apoyo emocional))`,
  source_of_income: `((seccion|section) (8|ocho)|(vales|cupones|vouchers|bonos|voucher|vale) [de (vivienda|renta|alquiler)]|subsidios|(ayuda|asistencia|ayudas|asistencias|programas|beneficios|subsidio) [del|de|publica|social|economica|para] [la|el] [gobierno|renta|vivienda|publica]|(personas|gente|inquilinos) (con|que reciben|en) (ayuda|asistencia|vales|subsidio|welfare)|desempleados)`,
  marital_status: `(casados|matrimonios|solteros|solteras|divorciados|divorciadas|madres solteras|padres solteros|madre soltera|(parejas|pareja|personas) (casadas|casada|solteras|divorciadas|sin casar|no casadas))`,
  military_status: `(militares|militar|veteranos|veterano|soldados|(personal|familias) (militar|militares))`,
  age: `(jovenes|joven|jubilados|ancianos|estudiantes|estudiante|viejos|adultos mayores|personas mayores|gente mayor|universitarios|pensionados|(${genteES}) (joven|jovenes|mayor|mayores|jubilada|jubiladas|jubilados|de edad|de la tercera edad|universitarios))`,
}
const rechaza =
  'renta|rentan|rentamos|rento|rentar|alquila|alquilan|alquilamos|alquilar|acepta|aceptan|aceptamos|acepto|aceptar|admite|admiten|admitimos|permite|permiten|permitimos|quiere|quieren|queremos|quiero|recibe|reciben|recibimos|vende|venden|vendemos|toma|toman|tomamos|rentaria|trabajamos|trabaja|desea|desean'
const marcos = (grupo: string): string[] => [
  `no [se|le|les] (${rechaza}) [a|con|que vivan|ningun|ninguna|la|el|mas|de|por] ~1 ${grupo}`,
  `(sin|ni|prohibido|prohibidos|prohibida|cero) ${grupo}`,
  `(solo|solamente|unicamente|exclusivamente|exclusivo|exclusiva|prefiere|preferimos|prefieren|prefiero|preferible|preferiblemente|preferentemente|de preferencia|busca|buscamos|buscan|se busca|reservado|pensado) [a|para|se|quiere|quieren|rentamos a|acepta|aceptan|aceptamos|renta a|rentar a|rentarle a|vender a|una|un|inquilinos|que sean] [a|para|una|un] ${grupo}`,
  `(ideal|perfecto|perfecta|excelente|especial|adecuado|adecuada|indicado|hecho|hecha|bueno|buena|pensado|disenado|apto) para [una|un|la|el|las|los|su|tu|cualquier] ${grupo}`,
  `no (es|esta|son) [muy] (apto|apta|adecuado|adecuada|ideal|bueno|buena|recomendable|lugar|un lugar|conveniente) para ~1 ${grupo}`,
  `(muchos|muchas|mayoria de|mayoria son|puros|puras|llena de|lleno de|casi todos son|pocos|pocas|mayormente|principalmente|sobre todo) [vecinos|residentes|son|los] [son] ${grupo}`,
  `${grupo} no [son|se|seran|estan] [bienvenidos|bienvenidas|aceptan|admiten|permiten|aceptados|permitidos]`,
]
const spanish = Object.fromEntries(
  Object.entries(grupos).map(([category, grupo]) => [
    category,
    marcos(grupo).filter((marco) => !never.has(category) || !marco.startsWith('(ideal')),
  ]),
)

/** Frames that say of a group that it is wanted or not, filled with the words for each group. */
export const groupRules = (category: Category): readonly string[] => [
  ...(english[category] ?? []),
  ...(spanish[category] ?? []),
]
