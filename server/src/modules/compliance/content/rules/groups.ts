import type { Category } from '../categories.ts'
import { faiths } from './faiths.ts'
import { near } from './near.ts'
import { origins } from './origins.ts'
import {
  asks,
  charges,
  choosing,
  dueno,
  ideal,
  limiting,
  manda,
  mayoria,
  minds,
  molesta,
  most,
  owners,
  pregunta,
  quiere,
  rechaza,
  rejects,
  sending,
  suits,
  wants,
} from './treatment.ts'

/** All that is done with people because of what they are. */
const fitting =
  'better fit|good fit|great fit|best fit|bad choice|bad fit|bad idea|poor choice|poor fit|healthy|wont pay|pay on time|scratch|perfect|ideal|great|best|wonderful|excellent|fantastic|lovely spot|suited|suitable|unsuited|geared|popular|attracts|appeals|caters|tailored|designed|intended|aimed|targeted|dream|right for|good for|worked out|work out|at home'
const treated = `${rejects}|${minds}|${limiting}|${sending}|${charges}|${wants}|${asks}|${owners}|${most}|${fitting}|risk`
const tratados = `${rechaza}|${molesta}|${manda}|${quiere}|${pregunta}|${dueno}|${ideal}|${mayoria}`

const kids =
  'kid|kids|kiddo|kiddos|child|children|childrens|toddler|toddlers|baby|babies|infant|infants|newborn|newborns|teenager|teenagers|teen|teens|little ones|little one|youngsters|minors|minor children|grandchildren|grandkids|grandchild|twins|triplets|foster (kids|children|child)|custody|stepkids|offspring|boys and girls|little feet|tiny feet|diaper|diapers|stroller|strollers|your daughter|your son|your daughters|your sons|your boys|your girls|family of (your|that) size|(family|families|household) of (three|four|five|six|seven|eight|5|6|7|8)|large family|big family|larger families|large families|bigger families'
const ninos =
  'ninos|nino|ninas|nina|hijos|hijo|hija|hijas|bebe|bebes|menores|menor|adolescentes|adolescente|chamacos|chiquillos|criaturas|pequenos|embarazada|embarazadas|embarazo|familia grande|familias numerosas|familias grandes|familia numerosa'
const women =
  'woman|women|female|females|lady|ladies|girl|girls|man|men|male|males|guy|guys|bachelor|bachelors|gentleman|gentlemen|boys'
const mujeres =
  'mujer|mujeres|hombre|hombres|senorita|senoritas|caballero|caballeros|dama|damas|chicas|chicos|muchachas|muchachos|varones|varon'
const letting =
  'tenant|tenants|renter|renters|roommate|roommates|lease|leases|leasing|rent|rents|rented|renting|share|sharing|alone|living|lives|live|apply|applicant|applicants|student|floor|building|unit|room|bedroom|basement|household'
const impaired =
  'wheelchair|wheelchairs|walker|walkers|cane|crutches|scooter|disability|disabilities|disabled|handicap|handicaps|handicapped|impaired|impairment|impairments|blind|deaf|mentally|special needs|recovering|in recovery|rehab|sober|sobriety|addict|addicts|addiction|oxygen|(service|support|assistance|therapy|guide|comfort|emotional|seeing eye|hearing) [support] (dog|dogs|animal|animals|pet|pets)|emotional support (animal|animals|dog|dogs|cat|cats|pet|pets)|esa letter|esa pets|mobility (issues|problems|limitations)|medication|medications|medical (condition|conditions|issues|records|history)|health (problems|issues|conditions)|grab bars|assisted living|nursing home|caregiver|caregivers|home health aides|health aides|aides|aide|your chair|support dog|support dogs|dementia|epilepsy|seizures|seizure dog|seizure|depression|anxiety|bipolar|hard of hearing|hearing aids|dialysis|accommodation requests|reasonable accommodation requests|diagnosis|chronic|special diet|your condition|group home|halfway house'
const ailments =
  '(mental|psychiatric|mental health) (hospital|illness|illnesses|health|patients|patient|history|histories|diagnosis|disorder|disorders|issues|problems|condition|conditions|facility|disability|disabilities)|psychiatric|psychiatrist|mentally (ill|disabled|unstable|challenged)|autism|autistic|schizophrenia|schizophrenic|bipolar|ptsd|hiv|aids|down syndrome|cerebral palsy|handicapped|crippled|cripple|cripples|wheelchair bound|able bodied|ablebodied|retarded'
const incapaces =
  'silla de ruedas|sillas de ruedas|discapacidad|discapacidades|discapacitado|discapacitados|discapacitada|discapacitadas|minusvalido|minusvalidos|incapacitado|incapacitados|(animal|animales|perro|perros|mascota|mascotas) (de apoyo|de servicio|de asistencia|guia|emocional)|apoyo emocional|baston|andador|muletas|ciego|ciegos|ciega|ciegas|sordo|sordos|sorda|sordas|invidente|invidentes|medicamento|medicamentos|problemas de salud|enfermos|enfermo|sanos|sanas|adicto|adictos|adicciones|terapia|psiquiatra|psiquiatricos|psiquiatrico|psicologicos|condicion medica'
const incomes =
  'voucher|vouchers|section (8|eight)|sec 8|hud vash|hcv|housing (assistance|authority|program|programs|choice)|on assistance|rental assistance|rent assistance|cash assistance|on benefits|from benefits|benefits|public (aid|assistance|benefits)|government (aid|assistance|benefits|help|programs|check|checks|money)|disability (income|checks|check|payments|benefits)|(social security|unemployment|welfare|assistance|stimulus) (checks|check|income|benefits|payments)|welfare|ssi|ssdi|unemployment|food stamps|snap|tanf|child support|alimony|subsidized|subsidies|subsidy|subsidized tenants|government portion|government share|rapid rehousing|rehousing|shelter|nonprofit|third party (payer|payers|payment)|pension'
const vales =
  'vales|cupones|(vale|cupon|bono|bonos) de [la] (vivienda|renta|alquiler|seccion)|(un|su|con|el|del|este) (vale|cupon)|voucher|vouchers|seccion 8|seccion ocho|(ayuda|ayudas|asistencia|apoyo|apoyos|cheque|cheques|dinero|beneficios|programa|programas) (de incapacidad|del gobierno|de gobierno|publica|publicas|social|sociales|por incapacidad|por discapacidad|del seguro|del estado|de desempleo|economica|de vivienda)|subsidio|subsidios|welfare|estampillas|manutencion|desempleo|desempleados|sin trabajo'
const soldiers =
  'civilian|civilians|veteran|veterans|military|soldier|soldiers|service members|servicemembers|service member|army|navy|marine|marines|airmen|sailors|reservists|reservist|active duty|deployment|deployments|deploy|deployed|deploys|national guard|enlisted|the reserves|in the service|called up|military base|the base|military officer|fellow vets'
const wedded =
  'married|unmarried|divorced|divorcee|divorcees|newlywed|newlyweds|singles|cohabiting|wedlock|widow|widows|widower|marital|marriage|wedding|boyfriend|girlfriend|single (person|people|mom|moms|mother|mothers|dad|dads|parent|parents|man|men|woman|women|professional|professionals|occupant|tenant|tenants|applicant|applicants|guys|ladies|renters)|living in sin|in sin|husband and wife|traditional couple|living together|shacking up'
const casados =
  'casados|casadas|casado|casada|matrimonio|matrimonios|solteros|solteras|soltera|soltero|divorciada|divorciado|divorciados|divorciadas|union libre|concubinato|juntados|viven juntos|madres solteras|madre soltera|padres solteros|viudas|viuda|esposos'
const aged =
  'students|student (tenants|renters|housing|crowd)|undergrads|undergrad|college kids|grad students|seniors|retiree|retirees|elderly|millennial|millennials|middle aged|twenty something|twentysomethings|twenties|thirties|forties|fifties|sixties|seventies|gen z|boomers|college age|under (30|35|40|45|50|thirty|forty|fifty)|over (30|35|40|45|50|60|70|thirty|forty|fifty|sixty|seventy)|above (30|40|50|60|sixty|fifty|forty)|below (30|40|thirty|forty)'
const agedPeople =
  'people|person|persons|folks|couple|couples|crowd|tenant|tenants|renter|renters|resident|residents|buyers|adult|adults|family|families|professional|professionals|executives|generation|set|neighbors|gentleman|lady|ladies|man|woman|men|women|applicant|applicants|owner|owners|individual|individuals|demographic|vibe|parents|moms|dads'
const jovenes =
  'jovenes|joven|jubilados|jubilado|jubilada|jubiladas|pensionados|pensionado|ancianos|anciano|ancianas|viejos|viejitos|viejito|estudiantes|estudiante|universitarios|universitario|personas mayores|persona mayor|gente mayor|gente grande|adultos mayores|adulto mayor|tercera edad|maduro|madura|maduros|de edad|menores de (25|30|35|40|treinta|cuarenta)|mayores de (25|30|35|40|50|60|treinta|cuarenta|cincuenta|sesenta)|menos de (25|30|35|40|treinta|cuarenta)|mas de (40|50|60|cuarenta|cincuenta|sesenta) anos'

/** Groups that the law protects, near words that prefer, limit or count them. Some have no other business in a text of ours. */
export const groups: Readonly<Record<Exclude<Category, 'steering'>, readonly string[]>> = {
  familial_status: [
    ...near(
      11,
      kids,
      `${rejects}|${minds}|${limiting}|${sending}|${charges}|${owners}|children have to be|prefers|prefer|preferred|rather|only|adults|approved|tough|hard to|more than|averse|complex|different building|look at a different|get looks|would get looks|planes de`,
    ),
    ...near(8, kids, 'patience|put up with|tolerance|thin walls|better served'),
    `(household|family|families) ~3 (wont|not|isnt|arent|doesnt|dont|never|done) ~3 (grow|growing|expand|expanding|get bigger|getting bigger)`,
    `(tenant|tenants|renter|renters|someone|couple|applicant|applicants|people) ~5 (household|family) ~3 (grow|growing|expand|expanding|done growing)`,
    `(no|ni|sin) ~4 (familia|familias|hogar) ~3 (crecer|creciendo|crezca|crezcan|agrandar|agrandarse)`,
    ...near(
      8,
      'diaper|diapers|little feet',
      'someone|anyone|tenant|tenants|renter|stage|years|owner|past|crowd',
    ),
    ...near(8, kids, 'asked|asks|asking|wants to know|needs to know|disclose|inquired'),
    ...near(7, kids, 'grown|moved out|out of the house|in college|quiet|well behaved'),
    ...near(10, kids, 'insurance|neighbors|how many|how old|ages|policy|are asked'),
    ...near(
      7,
      `${kids}|families|moms|parents|mothers|dads`,
      'mostly|mainly|predominantly|primarily|largely|majority|many|lots|lot of|plenty|tons|full|full of|more and more|fewer|increasingly|used to be|hardly any|surrounded|filled',
    ),
    ...near(8, `${kids}|families|moms|parents|mothers`, suits.replace('|better|', '|')),
    ...near(
      11,
      'families|your family|family with|parents with|household with|folks with kids|people with kids',
      `${sending}|${rejects}|first floor|lower floors|upper floors|one side|certain (floors|buildings|units)|rear|prefers|discourage|belong|look at the|should look|neighbors`,
    ),
    `(under eighteen|under 18|minors|playdate|playdates|play dates|kid territory|mom would|moms love|moms there|soccer moms|stay at home (mom|moms)|school age children)`,
    ...near(
      7,
      'adults|grownups',
      'prefer|prefers|preferred|only|rather|exclusively|want|wants|kept for|geared|reserved',
    ),
    `(kidfree|childfree|childless|kid free|child free|adults only|adult only|adults oriented|adult oriented|all adult|adult (building|complex|community|environment|household|households|living)|grownups|grown ups|empty nester|empty nesters|no dependents|without dependents|child bearing|childbearing|family planning|fertility|ivf|maternity|familial status|baby on the way|recien nacido|child averse|kid averse)`,
    `(anyone|anybody|kids|children|nobody|no one|people|those|person|residents|guests|minors|age) ~1 (under|below|younger than) ~2 (eight|ten|twelve|thirteen|fourteen|sixteen|eighteen|5|8|10|12|13|14|15|16|18)`,
    ...near(
      10,
      'pregnant|pregnancy|pregnancies|expectant (mother|mothers|parents|couple|couples)',
      `${treated}|tenant|tenants|applicant|applicants|someone|anyone|are you|if youre|until|after the`,
    ),
    ...near(
      8,
      'expecting',
      'applicant|applicants|tenant|tenants|she|wife|girlfriend|baby|couple|couples|women|mothers|someone|anyone|youre|they',
    ),
    ...near(
      2,
      'perfect|ideal|suited|great|made|best',
      'your family|the whole family|a family|any family|growing family',
    ),
    `(raise|raising|bring up|bringing up|start|starting|grow|growing) [a|your|the|young|his|her] (family|families|kids|children|child|little ones|son|sons|daughter|daughters|boys|girls)`,
    `(how old|ages|age) (are|of|is) [your|the] (kids|children|child|son|daughter)`,
    `(how many|any) (kids|children|little ones|dependents) (do you|are you|will|would|are there|in|you)`,
    `(do you|will you|would you|are you) [be] (have|having|bringing|planning|expecting|plan) [any|a|on|to have|having|to] (kids|children|child|baby|babies|more|have|having|family)`,
    `are you [currently|maybe] (pregnant|expecting)`,
    `(traditional|nuclear|stable|wholesome|respectable|proper|nice|good|lovely|close knit|churchgoing|decent) (family|families)`,
    `family (community|neighborhood|area|street|town|block|vibe|atmosphere|building|complex|place|environment|suburb)`,
    `(kids|children) (on bikes|everywhere|playing in the street|running around|riding bikes|all over|out playing|next door|down the street)`,
    `(moms|dads|parents|mothers) (chatting|pushing|walking|everywhere|and kids|with strollers|in the)`,
    `(family|families) (oriented|friendly|centered|focused|like (yours|theirs|mine|ours))`,
    `(professionals only|nido vacio|nidos vacios|kid friendly (area|areas|neighborhood|street|building))`,
    `(vecindario|barrio|zona|area|colonia|comunidad|ambiente|edificio) familiar`,
    `all the other (children|kids|families|parents|couples)`,
    ...near(8, 'couple', 'this time|instead of|in mind|without kids|no kids|rather than|previous family'),
    ...choosing,
    `(pool|gym|units|floor|floors|building|tower|wing|meant|kept|reserved|more) ~3 (to|for) (adults|grown ups|singles|couples)`,
    `(ideal|best|perfect|prefers|wants|prefer|suited|works|like|likes|love|rather|better|this time) ~4 (couple|two adults|single person|one person|two people|working couple)`,
    ...near(
      10,
      ninos,
      `${rechaza}|${molesta}|${manda}|${quiere}|${dueno}|${ideal}|tiene usted|cuantos|cuantas|piensa tener|muchos|muchas|lleno|llena|mayoria|criar|por cada|entre`,
    ),
    ...near(
      8,
      'familia|familias',
      `rechaza|no se|no aceptan|no rentan|prefieren|edificio|de atras|ideal|perfecto|perfecta|mayoria|criar|lleno|llena|muchas|separan|ponemos|ponen`,
    ),
    `(tiene|tienen|piensa tener|va a tener|planea tener|esperan|espera) [usted|ustedes] [muchos|mas|un|algun] (hijos|ninos|bebes|bebe|hijo|familia)`,
    `(criar|formar) [a] [una|sus|su] (familia|hijos|ninos)`,
    `(adultos|gente grande|gente adulta) [solamente|nada mas|unicamente|sin hijos|sin ninos]`,
    `embarazada`,
  ],
  race_or_national_origin: origins,
  religion: faiths,
  sex: [
    `(gay|gays|lesbian|lesbians|homosexual|homosexuals|bisexual|transgender|transgendered|transsexual|transitioning|nonbinary|crossdresser|crossdressers|queer|lgbt|lgbtq|homosexuales|lesbiana|lesbianas|transgenero|transexual|transexuales|travesti|same sex|mismo sexo|sexual orientation|gender identity|orientacion sexual|straight (couple|couples|people|men|women|tenants|only|families|neighborhood|building|area|household|crowd)|trans (people|person|woman|man|women|men|tenant|tenants|applicants|roommate)|(is|are|be|roommate|partner|tenant|applicant|they|you|he|she) trans|transvestite|transvestites|drag queens|drag queen|opposite sex|are you [a] (male|female|man|woman|gay|straight)|pronouns|two (men|women|guys|gentlemen|males|females|husbands|wives|dads|moms))`,
    ...near(8, women, `${letting}|${wants}|${suits}|safe`),
    ...near(
      8,
      'women|men|females|males|ladies|girls|boys|guys|bachelors|female|male|gentlemen',
      `${rejects}|${minds}|only|${owners}`,
    ),
    `(${owners}) ~1 (thinks|figures|feels|believes|says|assumes|finds) ~2 (woman|women|man|men|lady|ladies|guy|guys|girls|boys|female|male) ~1 (would|are|is|tend|tends|keep|keeps|take|takes|make|makes|pay|pays)`,
    `(two|three|brothers|sisters) (brothers|sisters|girls|boys|ladies|dudes)`,
    `(is there|do you have|have) (a|any) (husband|wife|boyfriend|girlfriend|partner|spouse|man|fiance)`,
    `(es|seria) su (esposo|esposa|marido|novio|novia|pareja|mujer)`,
    `(lifestyle|your girlfriend|your boyfriend|gay guy|lesbian couple|parejas de mujeres|como pareja)`,
    `(is|as) your (husband|wife|partner|boyfriend|girlfriend|lover)`,
    `(bachelor|bachelorette) (setup|pad|place|unit|apartment|building|vibe|type)`,
    `(single|unrelated|other|another) (man|men|woman|women|guys|girls|lady|ladies|male|female)`,
    `(womens|mens|guys|girls|ladies|female|male) (building|floor|house|household|unit|dorm|only)`,
    ...near(
      9,
      mujeres,
      `${quiere}|${rechaza}|${dueno}|inquilina|inquilino|inquilinas|inquilinos|sola|solas|renta|alquila|bienvenidos|bienvenidas|exclusivo|para|habitacion|cuarto`,
    ),
  ],
  disability: [
    ...near(
      11,
      impaired,
      `${treated}|you have|anything|prefer|do better|better in|better with|newer building|newer complex|approve|shouldnt|should not|ought|belong|belongs|has no business|would slow|slow down`,
    ),
    `(que|cual|cuales) ~2 (discapacidad|condicion|enfermedad|padecimiento|diagnostico|impedimento)`,
    `(${ailments})`,
    `(know|see|need|ask|hear|tell ~2) ~2 (diagnosis|disability|medical condition|condition is)`,
    ...near(
      10,
      'support|emotional support|assistance|service|guide',
      'pets are out|pet deposit|pet rent|pet fee|so called|count as pets|counts as a pet',
    ),
    `(subir|bajar) ~2 (escaleras|escalones) ~3 (sin ayuda|solo|sola|sin)`,
    `(su|tu|esa|con su) (enfermedad|condicion|padecimiento|discapacidad) ~6 (conviene|otro|otra|mejor|no)`,
    ...near(
      8,
      'your (eyesight|vision|hearing|knees|knee|hip|hips|back|legs|heart|balance|mobility|health|condition|joints|arthritis|asthma)|bad (knees|knee|hip|back|heart)',
      'too much|too many|too hard|hard on|tough on|rough on|off (the|your) list|wouldnt work|wont work|wouldnt be right|couldnt|shouldnt|not safe|unsafe|rule out|ruled out|ruled it out|not a good|better off',
    ),
    `(physically|mentally|able) (able|bodied|fit|capable|stable|healthy|well|strong|sound|independent)`,
    `(do|does|are|is|have|has) (you|they|anyone|he|she) ~3 (disability|disabilities|disabled|handicap|handicapped|handicaps|medical condition|condition|health problems|medication|medications|diagnosis|illness|treatment|therapy)`,
    `(what|whats|describe|explain|nature) [is|of] [your|the] (disability|diagnosis|illness|handicap|wrong with (you|your ~1))`,
    `(your|the|a|any) (disability|handicap|diagnosis|illness) ~6 (${owners}|unit|building|stairs|apply|safe|other|elsewhere)`,
    `(tenant|tenants|applicant|applicants|person|people|someone|anyone|you|residents|everyone|must) ~6 (climb|manage|handle|get up|use|take|walk up) [the] (stairs|steps|flights|three flights) [without|unassisted|alone|on]`,
    `(healthy|fit|able|independent|active) (tenant|tenants|applicants|people|adults|person|residents|renters) ~3 (only|preferred|please|who)`,
    `(able to|can|must|could|capable of) ~2 (climb|climbing|manage|managing|handle|use|navigate|get up|live independently|living independently|care for (themselves|yourself)|take care of (themselves|yourself)) [the|three|two|four|all] [flights|of] [stairs|steps|flights]`,
    `(healthy|able bodied|independent|physically fit|active|fit) [and|healthy|active|able] [active|fit] (tenant|tenants|applicants|people|adults|person|residents|renters|couple|individual|individuals)`,
    `(are|is) (you|anyone|he|she) [currently|chronically|mentally] (ill|sick|disabled|handicapped|blind|deaf)`,
    `must be [physically|mentally] (healthy|independent|fit|able|mobile|ambulatory|sane)`,
    `(wont|will not|doesnt|refuses to|cant|not going to) ~1 (allow|let|permit|install|put in|add|build) ~3 (ramp|ramps|grab bars|accommodation|accommodations|modification|modifications|chair lift)`,
    `(sufre|padece|tiene) ~2 (impedimento|enfermedad|discapacidad|padecimiento)`,
    `(live|living) (independently|on (your|their) own) ~4 (required|must|only|without)`,
    ...near(13, incapaces, `${tratados}|rayar|rallar|deberia|deberian|deje|dejen|permita|permitan`),
    `(enfermedad mental|enfermedades mentales|problemas mentales|problemas de la mente|para la mente|salud mental|para los nervios|enfermos mentales|loco|locos|minusvalidos|retrasado|retrasados)`,
  ],
  source_of_income: [
    ...near(
      6,
      'social security|disability benefits|child support|pension|unemployment',
      'consider|count|counts|counted|real income|as income|accept|accepted',
    ),
    ...near(6, incomes, 'own building|own buildings|separate|other building|down the road|own list'),
    ...near(
      11,
      incomes,
      `${rejects}|${minds}|${limiting}|${charges}|${wants}|${owners}|${sending}|usually place|late|our other|employed|job|jobs|w 2|income comes|must come|has to come|is your rent|asks|toward|stay in|tend to`,
    ),
    ...near(
      8,
      'earn a paycheck|earned wages|employed|salaried|working professionals|working people|jobs|job|paycheck|paychecks|wages|w 2|employment',
      'only|must|must have|have to have|need to have|prefers|prefer|rather|professionals only|required|requires|needs|has to come|have to come|wants|from a',
    ),
    ...near(
      10,
      vales,
      `${rechaza}|${molesta}|${manda}|${quiere}|${dueno}|${pregunta}|edificio|rentan|rentamos|aceptan`,
    ),
    ...near(
      8,
      'empleo|trabajo fijo|sueldo|nomina|salario',
      'solo|solamente|unicamente|exclusivamente|debe|deben|no con|requisito|prefiere|prefieren|exige',
    ),
  ],
  marital_status: [
    ...near(
      7,
      'couple|couples|roommates|bachelor|bachelors|singles|pareja|parejas',
      'turned away|turn away|turns away|turned down|turns down|turn down|rejected|passed over|not considered|need not|unwelcome|excluded|rechazadas|rechazan|rechazados',
    ),
    `(place|home|house|unit|apartment|spot|building|setup|condo) (for|suits) [a|the] (bachelor|bachelors|singles|single (guy|man|woman|person|lady))`,
    `(you two|both of you|you guys|the two of you) ~2 (couple|together|married|dating|romantic|an item|partners)`,
    ...near(10, wedded, treated),
    `(married|unmarried|divorced|single|separated|widowed|engaged) [young|older|working|professional] (people|person|persons|folks|couple|couples|tenants|renters|applicants|individuals|adults|crowd|guys|ladies)`,
    `(nice|traditional|lovely|quiet|mature|sweet|respectable|decent|normal|stable|settled) [traditional|quiet|young|older|married] couple`,
    `are you (two|both|together|a couple|you two|both of you|you and [your] ~2) [legally|both|currently|two] (married|single|divorced|engaged|a couple|separated|unmarried|together|living)`,
    `(living|live|lives) together [without|but|and|outside] ~3 (married|marriage|wedlock)`,
    `(if|whether) you [two|both] [are|re] [legally|actually] (married|single|divorced|engaged|together)`,
    ...near(9, casados, `${tratados}|usted|ustedes|estan|son|iglesia`),
  ],
  military_status: [
    ...near(
      11,
      soldiers,
      `${rejects}|${minds}|${limiting}|${charges}|${wants}|${owners}|${sending}|break leases|breaks leases|work with|deal with|are you|transfer`,
    ),
    ...near(9, 'militares|militar|veteranos|veterano|soldados|soldado|ejercito|marinos', tratados),
  ],
  age: [
    `(pareja|parejas|familia|gente|persona|personas|senor|senora|inquilino|inquilina) ~1 (mayor|mayores|joven|jovenes|grande|grandes|madura|maduras)`,
    `(${suits}) ~3 (young|younger|older|mature|elderly|retired|middle aged) (${agedPeople})`,
    `(elderly|millennials|boomers|gen z|snowbirds|snowbird|empty nester|empty nesters|senior citizens|(your|their|his|her) [own] age|your age group|age group|older (person|people|couple|couples|folks|tenant|tenants|crowd|adults|residents|buyers|woman|man)|younger (person|people|couple|couples|folks|crowd|tenants|buyers|residents)|(mature|retired|settled|elderly) [settled|quiet|professional|older|responsible] (person|people|couple|couples|tenant|tenants|adult|adults|individual|individuals|gentleman|lady|crowd|renters|buyers))`,
    ...near(
      3,
      'young|younger|older|old|mature|elderly|retired|middle aged|youthful|college age|aging',
      agedPeople,
    ),
    ...near(
      8,
      aged,
      `${rejects}|${minds}|${wants}|${owners}|${suits}|${sending}|tends|tend|mostly|all|keep it that way|bored|complain|nobody|everyone|most residents|need not|preferred`,
    ),
    `(retirees|retiree|students|student|singles|older persons|old folks|college) (building|complex|community|neighborhood|street|block|area)`,
    `(youngest|oldest) (by|here|there|in the)`,
    `(too|bit|little) (old|young) (for|to)`,
    `(skews|skew|leans|trends|runs) (older|younger|young|old|gray|senior)`,
    `(in (their|his|her) (twenties|thirties|forties|fifties|sixties|seventies|20s|30s|40s|50s|60s|70s))`,
    `(esta|estan|es|son) (grande|viejo|vieja|viejos|joven|jovenes|mayor|mayores|chavo|chavos) (para|de)`,
    `how old (are|is) (you|your (wife|husband|partner)|the tenant|both|everyone|each)`,
    `(tenant|tenants|renters|applicants|people|anyone|someone|nobody|no one|residents|buyers) ~2 (over|under|above|below|older than|younger than|past) [the age of] (25|30|35|40|45|50|55|60|65|70|thirty|forty|fifty|sixty|seventy)`,
    ...near(9, jovenes, `${tratados}|alguien|ambiente|inquilino`),
    `de (treinta|cuarenta|cincuenta|sesenta|30|40|50|60|veinte) [y tantos] (para arriba|en adelante|o mas|para abajo|anos|y pico)`,
    `(keep|keeping|kept|stay|stays) ~4 (under|over|below|above) (25|30|35|40|45|50|thirty|forty|fifty|sixty)`,
    `(twenty|thirty|forty|fifty|sixty|seventy|eighty|20|30|40|50|60|70|80) year (old|olds) ~8 (owner|landlord|immature|too|prefer|tenants|tenant|not|wont|never|only)`,
    `(tenant|tenants|renters|people|applicants|residents|someone|inquilinos|personas|gente) ~1 (between|entre|aged|from) (20|25|30|35|40|45|50|twenty|thirty|forty|veinte|treinta|cuarenta) (and|to|y|a) (30|35|40|45|50|55|60|thirty|forty|fifty|sixty|treinta|cuarenta|cincuenta|sesenta)`,
    `(no one|nobody|noone|nadie|anyone|anybody|people) (under|over|below|above|younger than|older than|menor de|mayor de) (18|21|25|30|35|40|45|50|55|60|65)`,
    `closer to (30|40|50|thirty|forty|fifty)`,
    `(millennial|millennials|hipster|hipsters|yuppies|twentysomethings) [crowd|resident|residents|area|vibe]`,
    `(menores|mayores) de (25|30|35|40|45|50|veinticinco|treinta|cuarenta|cincuenta)`,
    `must be [at|over|older|above|under] [least|than] (21|25|30|35|40|45|50|thirty|forty|fifty)`,
    `(over|under|below|above) (25|30|35|40|45|50|thirty|forty|fifty) (only|preferred|please)`,
    `(que edad|cuantos anos) (tiene|tienen)`,
    `(demasiado|muy|bastante) (viejo|vieja|joven|mayor|grande) para`,
  ],
}
