/** What a rule protects, or `steering`: who lives somewhere, and how safe or how good its schools are. */
export type Category =
  | 'familial_status'
  | 'race_or_national_origin'
  | 'religion'
  | 'sex'
  | 'disability'
  | 'source_of_income'
  | 'marital_status'
  | 'military_status'
  | 'age'
  | 'steering'

const kids =
  'kid|kids|child|children|minor|minors|infant|infants|baby|babies|toddler|toddlers|teen|teens|teenager|teenagers'
const adults =
  'couple|couples|person|persons|people|individual|individuals|adult|adults|tenant|tenants|renter|renters|buyer|buyers|resident|residents|occupant|occupants|applicant|applicants|professional|professionals|roommate|roommates'
const families = 'family|families|household|households'
const place =
  'neighborhood|neighborhoods|neighbourhood|neighbourhoods|area|areas|community|communities|block|street|streets|town|suburb|suburbs|city|district|subdivision|building|complex|location|side|enclave'
const origins =
  'white|whites|black|blacks|caucasian|caucasians|african|asian|asians|hispanic|hispanics|latino|latinos|latina|latinas|latinx|mexican|mexicans|chinese|korean|koreans|japanese|vietnamese|filipino|filipinos|indian|indians|pakistani|pakistanis|arab|arabs|arabic|persian|iranian|russian|russians|polish|irish|italian|italians|german|germans|american|americans|somali|haitian|nigerian|puerto|cuban|cubans|dominican|biracial|interracial|colored|minority|minorities|immigrant|immigrants|foreigner|foreigners|ethnic'
const outsiders =
  'immigrant|immigrants|foreigner|foreigners|refugee|refugees|alien|aliens|illegals|noncitizens'
const faiths =
  'christian|christians|catholic|catholics|protestant|protestants|evangelical|evangelicals|jewish|jew|jews|muslim|muslims|islamic|mormon|mormons|lds|hindu|hindus|buddhist|buddhists|sikh|sikhs|atheist|atheists|orthodox|baptist|baptists|religious|churchgoing|godly'
const women = 'female|females|woman|women|lady|ladies|girl|girls'
const men = 'male|males|man|men|gentleman|gentlemen|guy|guys|boy|boys'
const orientations =
  'gay|gays|lesbian|lesbians|straight|heterosexual|heterosexuals|homosexual|homosexuals|bisexual|transgender|trans|queer|lgbt|lgbtq'
const impaired =
  'disabled|handicapped|handicap|crippled|cripples|wheelchair|wheelchairs|blind|deaf|disability|disabilities|impaired|invalids|addicts|alcoholics|hiv|aids'
const vouchers =
  'voucher|vouchers|hcv|hcvs|dss|welfare|ssi|ssdi|subsidy|subsidies|subsidized|assistance|section|hud'
const soldiers = 'military|veteran|veterans|vet|vets|soldier|soldiers|servicemember|servicemembers'
const old = 'senior|seniors|elderly|retiree|retirees|retired|pensioners'
const young = 'young|younger|youthful|millennial|millennials|middleaged'
const suited =
  'perfect|ideal|great|suited|suitable|best|excellent|wonderful|good|fantastic|meant|designed|reserved'
const only = 'only|preferred|wanted|please|required|welcome|desired|exclusively'
const excluded = 'allowed|permitted|accepted|welcome|considered|okay|ok|tolerated'
const negations = 'not|dont|doesnt|wont|never|cannot|cant|isnt|arent|nor'
const good =
  'good|great|excellent|top|best|better|outstanding|award|blue|terrific|amazing|superb|fantastic|highly|acclaimed|desirable|coveted|sought|prestigious|renowned|exceptional|strong|bad|poor|failing|worst|worse|terrible|weak|underperforming'

/**
 * Phrases that state a preference or a limit, by what the law protects: 42 USC 3604(c) and 24 CFR 100.75, and for income, age,
 * marital and military status what many states and cities add. These count everywhere, because an advertisement is read beyond
 * its state. What HUD's memorandum of January 9, 1995 allows is in no phrase: rooms, views, what is near, how accessible it is.
 */
export const fairHousingRules: Readonly<Record<Category, readonly string[]>> = {
  familial_status: [
    `(no|zero|without) [small|young|school|more] [age|aged|than] [one|two|1|2] (${kids})`,
    `no (families|pregnant|strollers)`,
    `(${kids}|families) [are|is] (${negations}) [be] (${excluded})`,
    `(${negations}) ~1 (suitable|suited|appropriate|recommended|right|designed|meant|safe|good|ideal|fit) for [a|the|any|small|young] (${kids}|${families})`,
    `(${negations}) ~1 (accept|accepting|allow|allowing|permit|rent|want|take) [to|any] [families|people|tenants|couples] [with] (${kids})`,
    `(one|two|1|2|single) (${kids}) (max|maximum|only|limit)`,
    `(max|maximum|limit) [of] (one|two|1|2) (${kids})`,
    `(childfree|kidfree|childless)`,
    `(child|kid|kids|children) free (${place}|living|home|environment|household|unit)`,
    `(adult|adults) only`,
    `(adult|adults) (preferred|building|complex|living|environment|household|${place})`,
    `(${suited}) for [a|an|the|your|any|all|one|two|1|2|small|large|big|growing|new|little|your|with|single] [growing|large|small|big] (${families}|${kids}|newlyweds|singles|bachelor|bachelors|bachelorette|couple|couples|empty|parents)`,
    `(bachelor|bachelorette) (pad|only|apartment)`,
    `(empty) (nester|nesters)`,
    `(mature|quiet|responsible) (${adults}) [only|preferred|wanted|please]`,
    `family (friendly|oriented|centered|focused) (${place}|living|environment)`,
    `family (${place})`,
    `professionals only`,
    `(large|big) families [are] (${negations})`,
    // Spanish
    `no (ninos|ninas|nino|nina|hijos|menores|bebes|familias|embarazadas)`,
    `sin (ninos|hijos|menores|bebes)`,
    `no se (aceptan|admiten|permiten|aceptaran) [familias|parejas|personas] [con] (ninos|hijos|menores|bebes|familias|embarazadas)`,
    `no (aceptamos|admitimos|permitimos|queremos|rentamos|alquilamos) [a|familias|parejas] [con] (ninos|hijos|menores|bebes|familias)`,
    `(solo|solamente|unicamente|exclusivo|exclusivamente) [para] (adultos|parejas|profesionales)`,
    `(perfecto|perfecta|ideal|excelente|bueno|buena|pensado|pensada) para [una|un|la|el|las|los|su] (pareja|parejas|familia|familias|solteros|soltero|soltera|ninos)`,
    `(vecindario|barrio|zona|area|colonia|comunidad|ambiente) familiar`,
  ],
  race_or_national_origin: [
    `(no|only|prefer|prefers|preferring) (${origins}|${outsiders})`,
    `(${origins}) (only|preferred|wanted|allowed|exclusively|owned|neighbors|${adults}|${families}|${place})`,
    `african american (${adults}|${families}|${place})`,
    `(${origins}|${outsiders}|people) [are|is] (${negations}) [be] (${excluded})`,
    `(white|black|chinese|hispanic|latino|korean|polish|irish|italian) (landlord|owner|seller|owners)`,
    `(${negations}) ~1 (accept|allow|want|take|like|rent|sell) [to|any] (${origins}|${outsiders})`,
    `no people of color`,
    `(racially|ethnically) (mixed|diverse|integrated|homogeneous)`,
    `(english|spanish|chinese|korean|polish|russian|arabic) (speaking|speakers|speaker) [only|preferred|required|wanted|${adults}|${families}|${place}]`,
    `(must|should|need|needs|has|have) [to|be] [able] [to] (speak|speaks|understand) [good|fluent|some|proper] english`,
    `(fluent|good|proper) [in] english (required|only|preferred|necessary)`,
    `(american|us|u|united) [s|states] (citizen|citizens|born) [only|required|preferred]`,
    `(citizens|citizen|natives|locals) (only|preferred)`,
    `must be [a|an|us|american|legal] [us|american|legal] (citizen|citizens|resident)`,
    `(no|${negations}) ~1 (green|work) (card|visa|visas|cards)`,
    `(no|solo|solamente|unicamente) (inmigrantes|extranjeros|negros|blancos|latinos|hispanos|mexicanos|asiaticos|chinos|arabes|indios|indocumentados|ilegales|ciudadanos|americanos|anglosajones)`,
    `no se (aceptan|admiten|permiten) (inmigrantes|extranjeros|negros|latinos|indocumentados|ilegales)`,
    `(deben|debe|que) (hablar|hablen|hable|saber) ingles`,
    `(solo|habla|hablantes) [de] (inglesa|ingles)`,
    `(vecindario|barrio|zona|area|colonia|comunidad) [muy|mayormente|predominantemente] (latino|latina|hispano|hispana|blanco|blanca|negro|negra|asiatico|asiatica|americano|americana|mexicano|mexicana)`,
    `(familia|familias|pareja|parejas|inquilinos) (blanca|blancas|negra|negras|latina|latinas|hispana|hispanas|americana|americanas|blancos|americanos)`,
  ],
  religion: [
    `(no|only|prefer|prefers|preferring) (${faiths})`,
    `(${faiths}) [owned|values] (only|preferred|wanted|home|household|environment|values|atmosphere|neighbors|landlord|owner|owners|seller|${adults}|${families}|${place})`,
    `(${faiths}) [are|is] (${negations}) [be] (${excluded})`,
    `(god) (fearing|loving)`,
    `(church|temple|mosque|synagogue) (going|goers) [people|families|family|${place}]`,
    `(${suited}) for [a|an|the] (${faiths})`,
    `(members|member) of [the|our|a] (church|congregation|parish|faith) (only|preferred)`,
    `(solo|solamente|unicamente|no|preferiblemente) (cristianos|catolicos|judios|musulmanes|mormones|evangelicos|ateos|creyentes)`,
    `(vecindario|barrio|zona|area|colonia|comunidad|familia|familias|hogar|casa) (cristiano|cristiana|cristianas|catolico|catolica|judio|judia|musulman|musulmana|religioso|religiosa)`,
  ],
  sex: [
    `(no|only|prefer|prefers|preferring|seeking|want|wants) [a|single] (${women}|${men}) [only|preferred|tenant|tenants|roommate|roommates|renter|renters|please]`,
    `(${women}|${men}) (only|preferred|wanted|tenant|tenants|roommate|roommates|renter|renters|applicants|occupants)`,
    `(${suited}) for [a|an|the|any|one|two] [single|young|older|professional|working|mature] (${women}|${men})`,
    `(looking|searching) for [a|an] [single|quiet|young|older|clean|responsible] (${women}|${men})`,
    `(no|only|prefer) (${orientations})`,
    `(${orientations}) [friendly|owned] (only|preferred|neighborhood|neighborhoods|${adults}|${place})`,
    `(${orientations}|${women}|${men}) [are|is] (${negations}) [be] (${excluded})`,
    `no (crossdressers|transgenders|transvestites)`,
    `(solo|solamente|unicamente|no|preferiblemente|prefiero) (mujeres|hombres|senoritas|damas|caballeros|muchachas|chicas|homosexuales|gays|lesbianas)`,
    `(ideal|perfecto|perfecta) para [una|un] (mujer|hombre|senorita|dama|caballero|mujeres|hombres)`,
  ],
  disability: [
    `no (${impaired}|cripples)`,
    `no (service|emotional|assistance|support|guide|therapy) [support] (animal|animals|dog|dogs|pets)`,
    `no (esa|esas)`,
    `(service|emotional|assistance) [support] (animal|animals|dog|dogs) [are|is] (${negations}) [be] (${excluded})`,
    `no (mental|mentally) (illness|ill|disabled|issues)`,
    `(no|${negations}) (recovering) (addicts|alcoholics)`,
    `(${negations}) ~1 (suitable|suited|appropriate|recommended|right|designed|meant|good|ideal|fit|equipped) for [a|the|any] [physically|mentally|mobility] (${impaired}|elderly|seniors)`,
    `(${impaired}) [users|people|persons|tenants|applicants] [are|is] (${negations}) [be] (${excluded})`,
    `must be [physically|mentally] (fit|healthy|stable|mobile|ablebodied|independent|able) [bodied]`,
    `(able|ablebodied) bodied [${adults}]`,
    `ablebodied`,
    `(physically|mentally) (fit|healthy|stable|sound) (${adults}|only|preferred)`,
    `(healthy|sane) (only|${adults})`,
    `(able|capable) (to|of) (live|living) independently`,
    `(no|sin) (discapacitados|minusvalidos|incapacitados|discapacidad|discapacidades)`,
    `no [se] [aceptan|admiten|permiten] (animales|perros) de (servicio|apoyo|asistencia)`,
    `no [se] [aceptan|admiten|permiten] (sillas) de ruedas`,
    `no (apto|apta|adecuado|adecuada) para (discapacitados|minusvalidos|personas|sillas)`,
  ],
  source_of_income: [
    `no [hud|housing|government|public|choice|rental|rent] [choice|assistance] (${vouchers}|programs) [8|eight|8s]`,
    `(section|sec) (8|eight|8s) [tenants|vouchers|applicants] [are|is] (${negations}) [be] (${excluded})`,
    `(voucher|vouchers|assistance|subsidies) [holders|recipients] [are|is] (${negations}) [be] (${excluded})`,
    `(${negations}) ~1 (accept|accepting|take|taking|participate|participating|allow|approved|consider|honor|work) [in|for|with|any|a] [the|any|hud|housing|government|public|choice|rental] [choice] (${vouchers}) [8|eight]`,
    `not [a|on|in|part|of] [the|of|for] section (8|eight)`,
    `(must|need|needs) [to] be [gainfully|currently|full] [time] (employed|working)`,
    `must have [a] [full|steady|stable] [time] (job|jobs|employment)`,
    `(employed|working) (${adults}) (only|preferred)`,
    `no (unemployed|welfare)`,
    `no [se] [acepta|aceptan|aceptamos|acepto|toma|tomamos] [la|el|con|ningun|vales|cupones|programa] [de] (seccion|section|vouchers|voucher|vales|cupones|subsidios|asistencia|gobierno) [8|ocho]`,
    `(seccion) (8|ocho) no`,
  ],
  marital_status: [
    `(married|unmarried|single|divorced) (couple|couples|people|person|persons|tenants|parents|parent|mothers|mother|moms|mom|fathers|dads|${women}|${men}) (${only})`,
    `no (unmarried|single|singles|divorced|cohabiting)`,
    `(married) only`,
    `must be (married|single)`,
    `(singles|unmarried) [couples] [are|is] (${negations}) [be] (${excluded})`,
    `(solo|solamente|unicamente|no) (casados|matrimonios|solteros|solteras|divorciados|divorciadas)`,
    `no madres solteras`,
  ],
  military_status: [
    `no (${soldiers})`,
    `(${soldiers}) [personnel|families] (only|preferred)`,
    `(${soldiers}) [personnel|families] [are|is] (${negations}) [be] (${excluded})`,
    `(${negations}) ~1 (rent|lease|sell) to (${soldiers})`,
    `(no|solo) (militares|veteranos|soldados)`,
  ],
  age: [
    `(${young}) (${adults}|${families}|crowd|women|men|singles)`,
    `(millennials|millennial|hipsters) [crowd|${place}]`,
    `(older|elderly|senior|retired|mature) (${adults}|ladies|gentleman|gentlemen|lady|women|men|crowd)`,
    `(${suited}) for [a|an|the|your|any|active] (${old}|students|millennials)`,
    `no (elderly|seniors|students|retirees|old)`,
    `(seniors|elderly|retirees|students) (only|preferred)`,
    `(seniors|elderly) [are|is] (${negations}) [be] (${excluded})`,
    `must be [at|over|older|above] [least|than] (25|30|35|40|45|50) [or|and|years] [over|older|above|of]`,
    `(over|under|above|below) (25|30|35|40|45|50) (only|preferred)`,
    `(nobody|noone|one|people|persons) (under|over) (25|30|35|40|45|50)`,
    `(pareja|parejas|familia|familias|gente|profesionales) (joven|jovenes|mayor|mayores|jubilada|jubilados)`,
    `(solo|solamente|no|ideal|perfecto) [para] (jovenes|jubilados|ancianos|estudiantes|viejos)`,
    `no (personas|gente) mayores`,
  ],
  steering: [
    // Safety
    `(safe|safer|safest|unsafe|dangerous|sketchy|rough|shady|scary|bad|worst|good|better|wrong|seedy) [and] [quiet|very|family|residential|friendly|little|part] [of] (${place})`,
    `(safest|safe|unsafe|dangerous) (place|places|spot) [to|in|for] [live|raise|town]`,
    `(low|no|little|zero|high|much|less|more|minimal) crime`,
    `(lot|lots) of crime`,
    `crime (free|rate|rates|ridden|statistics|stats|level|levels)`,
    `crime [here|there|in] [the|this] [${place}] (is|isnt|are) ~1 (low|high|bad|nonexistent|rare|problem)`,
    `(is|its|are|was|very|really|perfectly|pretty|totally|completely|feel|feels|felt|extremely|super|so) (safe|unsafe|dangerous) [here|there|at|to|for|after|and] [night|walk|dark|live|kids|children|women|families|around]`,
    `(safe) (for|to) (kids|children|families|women|walk|raise|live)`,
    `(gang|gangs|drug) (activity|free|dealers|infested)`,
    `(better|worse|wrong|right|bad|good) (part|side) of (town|the|tracks|city)`,
    // Schools
    `(${good}) [rated|ranked|performing|winning|ribbon|notch|after|regarded|tier|10|rating] [public|private|local|area|neighborhood|elementary|middle|high|grade|suburban|city|and|award|winning] [rated|school|schools|ranked] (school|schools)`,
    `(award) winning [public|local|elementary|middle|high|neighborhood] (school|schools|district)`,
    `(school|schools) [district|here|there|around] [here|in] [the|this] [${place}] (is|are|here|there|rank|ranks|score|rated|ranked) ~1 (${good}|rated|10|9|high|low|number|first)`,
    `(9|10) rated (school|schools|elementary)`,
    // Who lives there
    `(youll|youd|theyll|theyd|you|they|wont|wouldnt) [will|would|should|wont|might|may|not] [definitely|really|surely] (fit|blend) [right] in`,
    `(fit|fits|blend) [right] in with [the|your|our] (neighbors|people|residents|community|crowd)`,
    `(people|folks|neighbors|families|residents|buyers) (like) (you|us|yourself|yourselves|yours|ours|them)`,
    `(your|our|their|right|wrong|certain|decent|better|good|nice) (kind|sort|type|class|element) of (people|folks|person|neighbors|family|families|crowd|tenant|tenants|buyer|buyers)`,
    `(good|right|wrong|bad|criminal|undesirable) (element|elements|crowd|demographic|demographics)`,
    `(demographics|demographic) [of|here|there|is|are|in|change|changing]`,
    `(mostly|predominantly|primarily|mainly|largely|majority|overwhelmingly) [young|older|working|upper|middle|wealthy|a|an|by] [class] (${families}|${adults}|${origins}|${faiths}|${old}|kids|children|students|singles|renters|homeowners|owners|class)`,
    `(lots|lot|plenty|full|tons|many|mix|loads) of [young|older|other|great|nice|good|new|little|single|working] (${families}|kids|children|${adults}|${origins}|${faiths}|${old}|students|singles|neighbors)`,
    `(many|most) [young|of|the] [neighbors|residents|people] (are|have) [a|young] (${families}|kids|children|${origins}|${faiths}|${old})`,
    `(diverse|integrated|mixed|changing|transitional|transitioning|gentrifying|gentrified|homogeneous|multicultural|urban|exclusive|restricted) [racially|ethnically] (neighborhood|neighborhoods|community|population|residents|demographics)`,
    `(popular|favored|favorite|loved|preferred) (with|by|among|for) [the|young|older] (${families}|${adults}|${origins}|${faiths}|${old}|students|singles|newcomers|expats)`,
    `(ghetto|slum|slums|barrio) [${place}]`,
    `(inner) city (${place}|kids|people|schools|youth)`,
    `(who) (lives|live) (there|here|nearby|around)`,
    // Spanish
    `(vecindario|barrio|zona|area|colonia|comunidad|calle|parte|lugar) [es|muy|bien|mas|de] [la] [muy|bien|mas] (seguro|segura|peligroso|peligrosa|malo|mala|bueno|buena|fea|feo|inseguro|insegura)`,
    `(es|muy) (seguro|segura|peligroso|peligrosa|inseguro|insegura) [vivir|aqui|alli|caminar|para]`,
    `(poca|mucha|sin|baja|alta|poco|mucho|cero) (delincuencia|criminalidad|crimen)`,
    `(buena|buenas|excelente|excelentes|mejor|mejores|mala|malas|grandes) (escuela|escuelas|colegio|colegios|distrito|distritos)`,
    `(escuelas|escuela|colegios|distrito) [escolar|son|es|muy] [muy] (buena|buenas|buenos|bueno|excelente|excelentes|mala|malas|mejores|calificadas)`,
    `(gente|personas|familias|vecinos) como (usted|ustedes|tu|nosotros|ella|ellos)`,
    `(encajaria|encajarias|encajara|encajaras|encajan)`,
    `(gente|vecinos|personas) (decente|bien|decentes|educada|tranquila)`,
    `(muchas|muchos|mayoria|mayormente|puros|puras) [de] (familias|ninos|latinos|hispanos|blancos|negros|jovenes|estudiantes|cristianos|catolicos)`,
  ],
}

/** Housing that the law lets be for older persons, where the listing says that it is (24 CFR 100.300). */
export const seniorHousingRules: readonly string[] = [
  `(55|60|62|65) [years|yrs] [of] [age] [and|or] (+|plus|over|older|up|better|above)`,
  `(55|60|62|65) [+] (${place}|living|only)`,
  `(over|age|ages|aged|minimum) (55|60|62|65)`,
  `age (restricted|qualified)`,
  `(active|senior) (adult|adults|living) [living|resort|retirement] [${place}]`,
]

const speaks =
  'speak|speaking|comment|commenting|discuss|discussing|characterize|describe|describing|advise|steer|steering|rate|rank|judge|discriminate|evaluate|opine|respond|share|recommend'

/** A person who says that they may not speak to something names it, and says nothing of it. */
export const declinations: readonly string[] = [
  `(cant|cannot|wont|shouldnt|dont|couldnt) [really|legally|even] (${speaks})`,
  `(not|unable|prohibited) [able|allowed|permitted|legally|supposed|going] [to|from] [really|legally|even] (${speaks})`,
  `(fair|equal) housing (law|laws|rules|act|regulations|opportunity)`,
  `(regardless|irrespective) of`,
  `(no) (puedo|podemos) [hablar|comentar|opinar|decir]`,
  `(sin) importar`,
]

/** After these a sentence goes on to something else. */
export const turns: ReadonlySet<string> = new Set([
  'but',
  'however',
  'though',
  'although',
  'still',
  'yet',
  'pero',
  'aunque',
])
