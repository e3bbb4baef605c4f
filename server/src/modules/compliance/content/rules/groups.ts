import type { Category } from '../categories.ts'
import { near } from './near.ts'

const against =
  'no|not|isnt|arent|wont|wouldnt|doesnt|dont|cant|cannot|never|nobody|without|hardly|rather|prefer|prefers|preferred|keen|instead|elsewhere|unfortunately|sorry|only|other building|exceptions|exception|stopped|refused|refuses|turned down|rejected|denied|unsuitable|frowned|discouraged|discourages|avoid|avoids|limit|limits|limited|at most|maximum|max|extra|surcharge|fee|fees|deposit|noise|noisy|loud|messy|trouble|too much|difficult|hard for|problem|concern|concerned|uncomfortable|comfortable|wild about|thrilled|fond|budge|count|policy|against|approve of|ideal|suited|geared'
const rechazo =
  'no|ni|sin|solo|solamente|prefiere|prefieren|preferimos|nunca|tampoco|nada de|limite|maximo|extra|molesta|molestan|ruido|problema|cargo|mejor otro|adecuado|adecuada|recomendable|apto'
const kids =
  'kid|kids|kiddo|kiddos|child|children|childrens|toddler|toddlers|baby|babies|infant|infants|newborn|newborns|teenager|teenagers|teens|little ones|youngsters|minors|pregnant|pregnancy|family of (your|that) size|(family|families|household) of (three|four|five|six|seven|eight|5|6|7|8)|large family|big family|larger families|large families'
const people =
  'people|person|persons|folks|family|families|couple|couples|client|clients|buyer|buyers|tenant|tenants|renter|renters|resident|residents|neighbor|neighbors|household|households|owner|owners|community|communities|population|neighborhood|area|block|enclave|crowd|professionals|kids|children|students|congregation'
const origins =
  'white|black|brown|asian|indian|chinese|korean|japanese|vietnamese|filipino|mexican|african|african american|arab|arabic|middle eastern|polish|russian|ukrainian|irish|italian|german|greek|persian|iranian|pakistani|somali|haitian|nigerian|cuban|puerto rican|dominican|brazilian|venezuelan|eastern european|european|american born|foreign|foreign born'
const faiths =
  'christian|catholic|protestant|evangelical|jewish|muslim|islamic|mormon|hindu|buddhist|sikh|baptist|lutheran|orthodox|religious|pious|observant'
const some =
  'mostly|mainly|predominantly|primarily|largely|majority|many|lots|plenty|tons|full|more and more|fewer|few|increasingly|used to be|hardly any|mayormente|puros|puras|muchos|muchas|mayoria'
const suits =
  'perfect|ideal|great|best|suited|geared|popular|attracts|attract|appeals|caters|tailored|designed|meant|made|dream|right|match|fits'
const women =
  'woman|women|female|females|lady|ladies|girl|girls|man|men|male|males|bachelor|bachelors|gentleman|gentlemen'
const letting =
  'tenant|tenants|renter|renters|roommate|roommates|lease|leases|rent|rents|rented|share|sharing|alone|prefer|prefers|rather|only|comfortable|living|apply|applicants|safe|suited|ideal'
const impaired =
  'wheelchair|wheelchairs|walker|cane|crutches|disability|disabilities|disabled|handicap|handicapped|impaired|impairment|blind|deaf|mentally|mental|mental hospital|mental health|mental illness|psychiatric|psychiatrist|therapist|health (problems|issues|conditions)|medical (condition|conditions|issues)|special needs|autism|autistic|recovering|rehab|sober|addict|addicts|addiction|hiv|oxygen|(service|support|assistance|therapy|guide|comfort) (dog|dogs|animal|animals)|esa|esas|mobility (issues|problems)'
const incomes =
  'voucher|vouchers|section (8|eight)|sec 8|housing (assistance|authority|program|programs)|on benefits|public (aid|assistance|benefits)|government (aid|assistance|benefits|help|programs)|disability (income|checks|check|payments|benefits)|(social security|unemployment|welfare|assistance) (checks|check|income|benefits|payments)|welfare|ssi|ssdi|unemployment|food stamps|child support|alimony|subsidized|subsidies|subsidy'
const soldiers =
  'veteran|veterans|military|soldier|soldiers|service members|servicemembers|army|navy|marines|reservists|active duty|deployment|deployments'
const wedded =
  'married|unmarried|divorced|divorcee|divorcees|newlywed|newlyweds|singles|cohabiting|single (person|people|mom|moms|mother|mothers|dad|dads|parent|parents|man|woman|professional|occupant)|husband and wife|living together'
const owner =
  'owner|owners|landlord|landlords|seller|sellers|landlady|manager|management|association|hoa|board|they|he|she'

/** Groups that the law protects, near words that prefer, limit or count them. Some have no other business in a text of ours. */
export const groups: Readonly<Record<Exclude<Category, 'steering'>, readonly string[]>> = {
  familial_status: [
    ...near(6, kids, against),
    ...near(
      7,
      kids,
      'owner|owners|landlord|seller|issue|rule|rules|policy|counts|awkward|occupancy|insurance|neighbors',
    ),
    ...near(3, `${kids}|families|moms|parents|mothers`, some),
    ...near(5, `${kids}|families|moms|parents|mothers`, suits),
    ...near(
      5,
      'kids|children|families',
      'look at the|look elsewhere|should look|would be happier|belong|neighbors',
    ),
    `(raise|raising|bring up|bringing up|start|starting|grow|growing) [a|your|the|young|his|her] (family|families|kids|children|child|little ones|son|daughter)`,
    `(how old|ages|age) (are|of|is) [your|the] (kids|children|child|son|daughter)`,
    `(how many|any) (kids|children) (do you|are you|will|would|are there)`,
    `(do you|will you|would you|are you) (have|having|bringing|planning|expecting) [any|a|to have] (kids|children|child|baby|babies|more)`,
    `are you [currently|maybe] (pregnant|expecting)`,
    `(wife|girlfriend|daughter|tenant|applicant|she) [is|was|were|s] (pregnant|expecting)`,
    `(traditional|nuclear|stable|wholesome|respectable|proper|nice|good|lovely|close knit|churchgoing) (family|families)`,
    `(family|families) (oriented|friendly|centered|focused|like (yours|theirs|mine|ours))`,
    `(adult|adults) (only|building|complex|environment|preferred)`,
    `(adults only|all adult|an adult) (community|living)`,
    `(pool|gym|units|floor|floors|building) ~3 (to|for) adults`,
    ...near(
      5,
      'ninos|nino|ninas|hijos|hijo|bebe|bebes|menores|adolescentes|embarazada|familia grande|familias',
      rechazo,
    ),
    ...near(
      4,
      'ninos|hijos|familias|bebes',
      'ideal|perfecto|perfecta|muchos|muchas|lleno|llena|mayoria|criar',
    ),
    `(tiene|tienen) [usted] [muchos] (hijos|ninos|bebes)`,
    `(criar|formar) [a] [una|sus|su] (familia|hijos|ninos)`,
    `solo adultos`,
  ],
  race_or_national_origin: [
    `(latino|latinos|latina|latinas|latinx|hispanic|hispanics|caucasian|caucasians|asians|blacks|africans|mexicans|koreans|filipinos|pakistanis|arabs|russians|haitians|somalis|immigrant|immigrants|immigration|foreigner|foreigners|refugee|refugees|minorities|ethnic|ethnicity|ethnicities|nationality|nationalities|biracial|interracial|people of color|melting pot|homogenous|homogeneous|undocumented|last name|surname|skin color|gringos|inmigrantes|extranjeros|latinoamericanos|indocumentados|nacionalidad|hispanos)`,
    ...near(2, origins, people),
    ...near(3, origins, some),
    ...near(
      4,
      origins,
      'prefer|prefers|rather|used to be|moving in|moved in|settled|feel at home|welcome|usually buy|live|lives|speaking clients',
    ),
    `(your|his|her|their|same|similar|own|different|from other) [own|ethnic|cultural|same] (culture|cultures|background|backgrounds|heritage|people|race|origin|country|countries|kind|roots)`,
    `(from|born in|born abroad) ~2 (eastern europe|africa|asia|india|china|mexico|latin america|south america|central america|middle east|overseas|abroad|another country|other countries|that country)`,
    `where (are|is|were|did) (you|they|your family|he|she) (from|originally from|born|come from|originally)`,
    `(what|which) (country|race|nationality|culture) (are|is|do|were|did)`,
    `(us|american|legal|naturalized|united states) (citizen|citizens|citizenship|resident|residents|by birth|born)`,
    `(citizen|citizens|citizenship|green card|green cards|visa|work permit|legal status|born here)`,
    ...near(
      5,
      'accent|accents|english|language|languages',
      'landlord|owner|must|only|fluent|fluently|required|need to|has to|have to|considered|prefer|prefers|doesnt want|proper|thick|heavy|foreign',
    ),
    `(de que|su|cual es su) (pais|nacionalidad|raza|origen) [es|viene|son|usted]`,
    `de (donde|que pais) (es|son|viene|vienen) [usted|ustedes|su]`,
    ...near(
      3,
      'gente|familia|familias|personas|vecinos|mayoria|puros|puras|barrio|zona|clientes',
      'blanca|blancas|blancos|negra|negras|negros|mexicana|mexicanas|mexicanos|asiatica|asiaticas|asiaticos|hispana|hispanas|latina|latinas|latinos|de color|de su pais|de su cultura|paisanos|morena',
    ),
    `(con|sin|tengan|tienen) papeles`,
  ],
  religion: [
    `(muslims|christians|catholics|protestants|evangelicals|jews|mormons|hindus|buddhists|sikhs|atheists|baptists|churchgoers|churchgoing|devout|sabbath|kosher|halal|hijab|godly|god fearing|fellow believers|believers|worshippers|church family|religion|religions|religious)`,
    ...near(2, faiths, people),
    ...near(3, faiths, some),
    ...near(
      5,
      'church|mosque|synagogue|temple|parish|congregation|shul',
      'community|close knit|tight knit|belong|attend|attends|member|members|neighbors|fit|feel at home|you go|active in|strong|welcoming',
    ),
    ...near(
      5,
      'faith|beliefs|values',
      'share|shares|sharing|same|our|their|christian|biblical|family|moral|conservative|traditional|liberal',
    ),
    `(people|person|family|families|man|woman|buyers|tenants|couple) of (faith|god|the book)`,
    ...near(
      4,
      'cristiano|cristiana|cristianos|catolico|catolica|catolicos|judio|judia|musulman|evangelico|evangelica|creyente|creyentes|religioso|religiosa',
      'persona|personas|familia|familias|gente|barrio|zona|comunidad|solo|prefiere|buscamos|busca|si es|es usted|vecinos|solamente|dueno|inquilino',
    ),
    ...near(
      4,
      'iglesia|parroquia|sinagoga|mezquita|fe',
      'unida|comunidad|asiste|miembros|vecinos|comparte|misma|sentira',
    ),
  ],
  sex: [
    `(gay|gays|lesbian|lesbians|homosexual|homosexuals|bisexual|transgender|queer|lgbt|lgbtq|homosexuales|lesbianas|same sex|straight (couple|couples|people|men|tenants|only))`,
    ...near(4, women, letting),
    `(two|single|unrelated|other) (men|women|guys|girls)`,
    ...near(
      4,
      'mujer|mujeres|hombre|hombres|senorita|senoritas|caballero|caballeros|dama|damas|chicas|muchachas',
      'solo|solamente|prefiere|prefieren|inquilina|inquilino|sola|renta|alquila|busca|buscamos|no se',
    ),
  ],
  disability: [
    ...near(7, impaired, `${against}|you have|elsewhere|anything|prefer|ground floor`),
    `(physically|mentally|able) (able|bodied|fit|capable|stable|healthy|well|strong|sound)`,
    `(do|does|are|is|have|has) (you|they|anyone|he|she) ~3 (disability|disabilities|disabled|handicap|handicapped|handicaps|medical condition|condition|health problems|mental illness|medication|diagnosis)`,
    `(what|whats|describe|explain|nature) [is|of] [your|the] (disability|condition|diagnosis|illness|handicap)`,
    `(your|the) (disability|handicap|mental illness|diagnosis)`,
    ...near(
      6,
      'silla de ruedas|sillas de ruedas|discapacidad|discapacidades|discapacitado|discapacitados|discapacitada|animal de apoyo|animales de apoyo|animales de servicio|perro de servicio|enfermedad mental|problemas mentales|bastón|andador',
      rechazo,
    ),
  ],
  source_of_income: [
    ...near(
      6,
      incomes,
      `${against}|usually place|late|owner|landlord|risk|other property|our other|employed|job|jobs`,
    ),
    ...near(
      4,
      'employed|salaried|working|jobs|job|paycheck|paychecks',
      'only|must|prefers|prefer|rather|professionals only|from a|required',
    ),
    ...near(
      5,
      'vales|voucher|vouchers|seccion 8|seccion ocho|ayuda del gobierno|asistencia|subsidio|subsidios|welfare|cupones',
      rechazo,
    ),
  ],
  marital_status: [
    ...near(
      5,
      wedded,
      `${owner}|risk|prefer|prefers|only|rather|wants|want|wanted|must|ideal|perfect|great|required|considered|no|not|wont|doesnt|dont|popular`,
    ),
    `are (you|you two|both of you|you and [your] ~2) [legally|both|currently|two] (married|single|divorced|engaged|a couple|separated|unmarried|together)`,
    ...near(
      4,
      'casados|casadas|casado|casada|matrimonio|matrimonios|solteros|solteras|soltera|soltero|divorciada|divorciados|madres solteras',
      'solo|solamente|prefiere|prefieren|dueno|propietario|renta|no|ideal|usted|ustedes|estan|son',
    ),
  ],
  military_status: [...near(6, soldiers, against), ...near(3, 'militares|veteranos|soldados', rechazo)],
  age: [
    `(elderly|retirees|millennials|boomers|gen z|snowbirds|snowbird|empty nester|empty nesters|senior citizens|older (person|people|couple|couples|folks|tenant|tenants|crowd|adults|residents|buyers|woman|man)|younger (person|people|couple|couples|folks|crowd|tenants|buyers|residents)|young (person|people|couple|couples|professional|professionals|crowd|executives|pair|tenants|renters|adults|family|families)|(your|their|his|her) [own] age|(mature|retired|settled|elderly) [settled|quiet|professional|older|responsible] (person|people|couple|couples|tenant|tenants|adult|adults|individual|individuals|gentleman|lady|crowd|renters|buyers))`,
    ...near(
      5,
      'student|students|undergrads|seniors|retired|old|retirement',
      'prefer|prefers|rather|ideal|perfect|no|not|wont|doesnt|tends|mostly|only|bad experiences|attract|attracts|suited|geared|owner|landlord|too',
    ),
    ...near(
      4,
      'jovenes|joven|jubilados|ancianos|estudiantes|personas mayores|gente mayor|adultos mayores|tercera edad',
      `${rechazo}|ideal|perfecto|perfecta|mayoria|mayormente|muchos|pareja|parejas`,
    ),
    `(que edad|cuantos anos) (tiene|tienen)`,
  ],
}
