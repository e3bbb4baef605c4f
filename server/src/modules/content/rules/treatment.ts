import { near } from './near.ts'

/** How owners and their agents treat people: prefer some, reject others, and limit, place, charge, and question them. */
export const owners =
  'owner|owners|landlord|landlords|landlady|seller|sellers|manager|managers|management|association|hoa|board|co op|lessor|roommates|my client|my clients'
export const wants =
  'prefer|prefers|preferred|preferring|preference|preferably|favor|favors|favored|partial to|keen|leaning|leans|rather|sooner|picky|choosy|exclusively|exclusive|strictly|solely|reserved|kept for|set aside|dedicated to|limited to|restricted to|ideally|better tenants|best tenants|want|wants|wanted|hopes|hoping|seeking|seeks|theyd like|wed like|hed like|shed like|would love|id love|theyd love|hed love|shed love|looking for|searching for|goes for|go for|only|welcome only|first choice|top choice|first in line|front of the line|head of the line|first dibs|go first|goes first|come first|comes first|get first|gets first|priority|more reliable|more reliably|feels safer|feel safer'
export const rejects =
  'no|not|isnt|arent|wont|wouldnt|doesnt|dont|didnt|cant|cannot|never|nobody|no one|noone|none|without|hardly|refuse|refuses|refused|refusing|reject|rejects|rejected|decline|declines|declined|denied|deny|denies|turn away|turned away|turns away|turned down|turn down|turns down|pass on|passed on|passes on|passing on|passed|skip|skips|skipped|avoid|avoids|avoided|exclude|excludes|excluded|excluding|bar|bars|barred|ban|bans|banned|forbid|forbids|forbidden|prohibit|prohibits|prohibited|discourage|discourages|discouraged|steer clear|steers clear|stay away|stays away|keep out|keeps out|kept out|weed out|weeds out|screen out|screens out|frown|frowns|frowned|objects to|stopped|quit|need not|instead of|rather than|unless|off limits|ineligible|unsuitable|unwelcome|out of the question'
export const minds =
  'uneasy|uncomfortable|comfortable|at ease|nervous|wary|hesitant|reluctant|leery|concerned|concern|concerns|worried|worries|worry|problem|problems|issue|issues|trouble|liability|risk|risky|burden|hassle|headache|nuisance|noise|noisy|loud|messy|rowdy|wild about|thrilled|tolerate|tolerates|tolerated|strict|strict about|bad experience|bad experiences|bad luck|had it with|complain|complains|complained|bothered|bothers|disturb|disturbs|too much|difficult|hard for|hard on|budge|fond|object|matters|matter|caution|drawback|odd|awkward|think twice|be aware|heads up|frowned on'
export const limiting =
  'limit|limits|limited|cap|caps|capped|max|maximum|at most|no more than|not more than|fewer than|restrict|restricted|restriction|restrictions|policy|rule|rules|occupancy|quota|count|counts|cutoff|allotted'
export const sending =
  'placed|put|puts|putting|assign|assigns|assigned|segregate|segregated|separate|separated|separately|housed|stick|sticks|send|sends|steer|steers|steered|point them|move them|moved them|elsewhere|somewhere else|other building|another building|rear building|back building|back buildings|rear buildings|other buildings|front building|different building|another property|other property|other complex|another complex|first floor only|ground floor|low buildings|apply elsewhere|look elsewhere|looking elsewhere|better off|happier in|happier at|be happier|kept for|keep families|keeps families|tower|wing'
export const charges =
  'extra|surcharge|fee|fees|deposit|deposits|charge|charges|charged|charging|cobran|additional|higher rent|more rent|double|insurance|per child|per kid'
export const suits =
  'perfect|ideal|great|best|better|suited|suitable|unsuited|geared|gears|popular|attracts|attract|attracted|appeals|appeal|caters|cater|tailored|designed|meant|made|intended|aimed|targeted|dream|right|match|matches|fits|fit|good|wonderful|excellent|fantastic|built for|set up for|works best|worked out|work out|comfortable for|do well|at home'
export const asks =
  'do you have|have you got|are you|is anyone|is your|does anyone|are any of you|tell us|tell me|let us know|let me know|disclose|disclosed|asks|asked|asking|needs to know|wants to know|would want to know|want to know|know if|know whether|find out|cares|require|requires|required|requirement|must|need to be|have to be|has to be|have to have|has to have|need to have|needs to have|proof|proof of|show|verify|letter|records|will be asked|asking about|medical records'
export const most =
  'mostly|mainly|predominantly|primarily|largely|majority|many|lots|lot of|plenty|tons|full|full of|more and more|fewer|few|increasingly|used to be|hardly any|all|entirely|almost all|nearly all|handful|surrounded|heavily|overwhelmingly|a mix|mix of|turned|turning|becoming|become|became|filled|fill|fills|growing|big|large|sizable|significant|only'
export const lives =
  'live|lives|living|lived|move in|moves in|moving in|moved in|settle|settled|settling|neighbors|next door|tenants|renters|applicants|residents|buyers|buy there|bought|end up|ended up|feel at home|feel right at home|felt at home|usually buy|choose|chosen|tend to|belong|belongs|stick together|rent to|rents to|rent there|sell to|sells to|lease to|apply|applied|applies|own most|own|clients|population|enclave|enclaves|crowd|community|communities'

export const dueno =
  'dueno|duena|duenos|propietario|propietaria|propietarios|casero|casera|arrendador|arrendadora|vendedor|vendedora|vendedores|administrador|administracion|la senora|el senor|asociacion|encargado'
export const quiere =
  'prefiere|prefieren|preferimos|prefiero|preferiria|preferirian|preferible|preferiblemente|preferentemente|preferencia|de preferencia|quiere|quieren|queremos|quisiera|quisieran|desea|desean|busca|buscan|buscamos|se busca|espera que|le gustan|le gusta|le gustaria|solo|solamente|unicamente|exclusivo|exclusiva|exclusivamente|reservado|reservada|nada mas|nomas|mas comodo|mas comoda|mas tranquilo|mas tranquila'
export const rechaza =
  'no|ni|sin|nunca|tampoco|nada de|cero|jamas|prohibido|prohibida|prohibidos|rechaza|rechazan|rechazo|rechazaron|evita|evitan|evite|niega|niegan|excepto|menos|prohiben|prohibe|excluye|excluyen|descarta|descartan|bienvenidos|bienvenidas|bienvenido|mejor otro|mejor otra|mejor no|en vez de'
export const molesta =
  'molesta|molestan|molesto|ruido|ruidosos|problema|problemas|lata|dolor de cabeza|riesgo|incomodo|incomoda|incomodos|desconfia|desconfian|nervioso|nerviosa|mala experiencia|malas experiencias|le importa|importa|caben|cabe|estorban|adecuado|adecuada|apto|apta|recomendable|conviene'
export const manda =
  'ponemos|ponen|pone|mandan|mandamos|manda|mande|acomodan|acomodamos|asignan|asignamos|separan|separamos|ubicamos|ubican|edificio de atras|edificio del fondo|del fondo|de atras|otro edificio|otra propiedad|otro lado|otra parte|planta baja|mejor busque|estaria mejor|estarian mejor|limite|maximo|maxima|cargo|cargos|cobran|cobra|cobramos|deposito|extra|adicional|recargo'
export const ideal =
  'ideal|ideales|perfecto|perfecta|excelente|especial|indicado|pensado|pensada|hecho para|hecha para|dirigido|dirigida|disenado|disenada|apto|apta|a gusto|en casa'
export const pregunta =
  'tiene usted|tienen ustedes|quiere saber|quieren saber|piden|pide|pidieron|exige|exigen|requisito|requiere|requieren|deben|debe|tienen que|tiene que|hay que|necesita|necesitan|pregunta|preguntan|comprobante|prueba'
export const mayoria =
  'mayoria|mayormente|puros|puras|puro|pura|muchos|muchas|lleno|llena|llenos|casi todos|casi todas|casi puros|casi puras|principalmente|sobre todo|pocos|pocas|cada vez mas|todos son|todas son|viven|vive|conviven|habitan|suelen|les gusta|vecinos|inquilinos|inquilina|inquilino|compradores|comprador|renta|rentan|rentamos|rentar|rento|rentarle|alquila|alquilan|alquilar|alquilarle|acepta|aceptan|aceptamos|aceptar|admite|admiten|vende|vender|venderle|vendan|compre|compren|gente|personas|familias|familia|pareja|parejas|barrio|zona|colonia|edificio|comunidad'

/** What an owner must not say about tenants: that they like, fear, or choose a certain kind. */
export const choosing: readonly string[] = [
  `(${owners}) ~3 (likes|like|prefers|prefer|preferred|wants|worries|worried|wary|leery|picks|pick|passes|insists|rather|never|avoids|looking for|looks for|look for|is after|hates|loves|favors|believes|doubts|suspicious|fears|trouble|would take|only) ~6 (tenants|tenant|applicants|applicant|renters|renter|someone|somebody|folks|couple|man|woman|lady|gentleman|guys|family|families|roommate|roommates|single|singles|person)`,
  `(he|she) ~2 (likes|prefers|wants|worries|wary|leery|picks|passes on|insists on|rather have|rather rent|would never|avoids|looks for|is after|hates|favors|fears|trouble with|would take|had trouble) ~6 (tenants|tenant|applicants|applicant|renters|renter|someone|somebody|folks|couple|man|woman|lady|gentleman|guys|family|families|roommate|single)`,
  `(${dueno}) ~4 (prefiere|quiere|quieren|busca|buscan|desconfia|confia|evita|gusta|gustan|agradan|agrada|acepta|aceptan|pide|piden|rechaza|teme) ~6 (inquilino|inquilinos|inquilina|inquilinas|gente|personas|alguien|pareja|parejas|familia|familias|hombre|mujer|senor|senora|comprador)`,
]

/**
 * Words that show a clause to be about people: who someone is, lives somewhere, is let in, or is asked. A word for a group that also
 * has an everyday meaning, such as “race”, “mass”, or “Orthodox”, is a finding beside one of them.
 */
const someone =
  'people|person|persons|folks|family|families|couple|couples|buyer|buyers|tenant|tenants|renter|renters|applicant|applicants|resident|residents|neighbor|neighbors|household|households|client|clients|roommate|roommates|guest|guests|congregation|someone|somebody|anyone|anybody|everyone|everybody|man|men|woman|women|guy|guys|kids|children|students|member|members|who|whos|whoever|they|theyre|theyd|them|their|he|hes|his|she|shes|her|you|youre|youd|your|yours'
const somewhere =
  'community|communities|neighborhood|neighborhoods|area|areas|block|blocks|enclave|enclaves|part of town|suburb|suburbs|town|city|district|districts|building|buildings|complex'
const grounds =
  'what|which|any|same|different|other|factor|factors|mix|mixed|important|friendly|everywhere|welcome|based on|because of|by|about|regardless|background|backgrounds|status|values|culture|history'
const dwellings =
  'street|streets|road|house|houses|home|homes|household|place|side|subdivision|development|tower|floor|unit|units|apartment|condo|village'
export const aboutPeople = `${someone}|${somewhere}|${grounds}|${owners}|${wants}|${rejects}|${minds}|${sending}|${charges}|${suits}|${asks}|${most}|live|lives|living|lived|move in|moves in|moving in|moved in|settle|settled|settling|bought|end up|ended up|feel at home|felt at home|choose|chosen|rent to|rents to|sell to|sells to|apply|applied|applies|clients|population|crowd`

/** Phrases for such words beside what shows that people are meant, or right beside where they live. */
export const ofPeople = (words: string): string[] => [
  ...near(9, words, aboutPeople),
  ...near(1, words, dwellings),
]
