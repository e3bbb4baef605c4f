import { near } from './near.ts'
import { aboutPeople } from './treatment.ts'

const place =
  'area|areas|neighborhood|neighborhoods|neighbourhood|street|streets|block|blocks|part|parts|side|town|zip|zip code|zip codes|county|city|community|complex|suburb|suburbs|pocket|pockets|district|subdivision|building|spot|corner|station|park|place|south|north|east|west|there|around|enclave|village|zone|corridor|tracks|highway|river|railroad'
const direction = 'south|north|east|west|southside|northside|eastside|westside'
const judged =
  'good|great|best|better|top|excellent|outstanding|strong|strongest|fantastic|wonderful|amazing|terrific|superb|stellar|solid|decent|nice|bad|poor|poorly|terrible|weak|weaker|weakest|failing|worse|worst|lacking|mediocre|average|rated|ranked|rank|ranks|rates|rating|ratings|score|scores|scored|scoring|regarded|performing|reputation|renowned|acclaimed|award|awards|prized|desirable|desired|sought|coveted|choice|smart|worth|quality|stay away|avoid|recommend|matter|matters|love|proud|struggling|struggle|struggles|leave a lot|known|draw|draws|reason|pay more|envy|impressive|exceptional|notch|finest|superior|a plus|fight|fighting|get into|clamor|line up|out of 10|out of ten|number one|blue ribbon|competitive|awful|lousy|subpar|horrible|phenomenal|incredible|elite|unbeatable|the pits|joke|dump|disappointing|underperforming|overcrowded|rough|stand out|standout|shine|highest|lowest|higher|lower|skip|trouble|problems|caution|improving|outperform|outperforms|beat|beats|dropping|drop|dropped|decline|declining|drug|drugs|problem|fights|fighting|bullying|crowded|private|consider|pay extra|lagging|behind|ahead|excel|excels|thrive|not great|isnt great|arent great'
const schools =
  'school|schools|elementary|middle school|high school|school district|school system|academy|test scores|state tests|kindergarten|graduation rate|graduation rates|attendance zone|feeder'
const peopleThere =
  'neighbors|neighbours|neighbor|residents|people|folks|homeowners|crowd|population|tenants|renters|locals|occupants|demographic|demographics|clientele|families|everybody|everyone|buyers there|owners there'
const traits =
  'young|younger|old|older|professionals|wealthy|affluent|rich|educated|working class|blue collar|white collar|upper class|middle class|low income|poor|decent|nice|kind|nicest|like you|like yourself|just like you|similar|your kind|wrong kind|right kind|better class|good class|friendly|quiet|conservative|liberal|progressive|artsy|hip|hipster|classy|respectable|diverse|mixed|retired|religious|successful|executives|doctors|lawyers|engineers|teachers|artists|good company|down to earth|well off|riffraff|undesirable|desirable|clean cut|trashy|rowdy|exclusive|culture|background|same church|happier|changing|your age|your type|like minded|hardworking|hard working|college educated|upstanding|sketchy|rough|renters'

const aboutPlaces = `${place}|here|home|homes|rate|rates|low|lower|high|higher|less|little|much|free|ridden|up|down|report|reports|map|statistics|data|night|at night|dark|after dark|safe|recent|common|rare|more|too|everywhere|welcome|activity|members|violence`

/** Who lives in a place, how safe it is, and how good its schools are, near words for places. */
export const places: readonly string[] = [
  ...near(9, 'crime|theft|robbery|gang|shooting|slum|homeless', `${aboutPlaces}|${aboutPeople}`),
  `(crimes|criminals|thefts|burglary|burglaries|robberies|robbed|break ins|break in|breakins|gangs|drugs|drug (activity|dealers|dealing|deals|users)|shootings|shots fired|homelessness|panhandlers|vagrants|violence|violent|vandalism|vandals|riffraff|thugs|ghetto|muggings|carjackings|sex offenders|loiterers|loitering)`,
  ...near(
    9,
    'safe|safer|safest|safety|unsafe|secure|dangerous|danger|sketchy|rough|rougher|shady|seedy|scary|dicey|iffy|worry about|peace of mind',
    `${place}|at night|after dark|kids|children|live|living|walk|walking|feel|feels|family|women|alone|doors`,
  ),
  `(relax|worry|worried|worries|feel good|good feeling|peace of mind|concerned) ~2 (safety|security|crime|walking|the area|the neighborhood)`,
  `(leave|leaves|left|keep) [their|your|his|her|the] (doors|door|cars|bikes) [unlocked|open]`,
  `(walk|walking|go out|jog|out) [there|around|home|alone|by yourself] [alone] (at night|after dark|alone at night|late at night)`,
  `nothing [bad|ever] [ever] happens`,
  `(bad|good|poor|rough|great|terrible|better|worse|mixed|certain|terrific|excellent) (reputation|rep|vibe|element|elements)`,
  `(demographics|demographic|demographically|gentrifying|gentrification|up and coming|sketchy|good old days)`,
  ...near(11, schools, judged),
  ...near(
    10,
    schools,
    'kids|children|parents|students|families|teachers|move|moved|moving|do well|daughter|son|pick this|everyone wants',
  ),
  ...near(
    9,
    'district|attendance zone|zoned',
    'parents|families|fight|get into|reason|scores|higher|lower|pick|kids|coveted|desirable|everyone wants|prized',
  ),
  `(zoned|zoning|feeds) (for|to|into) [the|a|some|one] ~2 (best|top|great|good|better|highest|excellent|strong)`,
  `(gets|got|earned|earns|scores|has) [a|an] (8|9|10|nine|ten|a|perfect) (out of|rating|score|on greatschools|plus)`,
  ...near(
    9,
    'police|cops|patrol|patrolled|patrols',
    'called|block|street|rarely|hardly|always|often|never|neighborhood|streets|keep',
  ),
  ...near(
    3,
    'district',
    'good|great|best|top|excellent|outstanding|strong|bad|poor|weak|rated|ranked|stay away|avoid|award|blue ribbon|acclaimed|desirable|sought|notch|failing',
  ),
  ...near(8, peopleThere, traits),
  ...near(
    7,
    'attract|attracts|draws|caters|popular|geared|appeals|favorite|home to|haven|magnet',
    `${peopleThere}|retirees|families|couples|singles|professionals|students|artists|expats|crowd|buyers|set`,
  ),
  `(exclusive|wholesome|classy|upscale|respectable|upper class|working class|blue collar|low income|high income|inner city|tight knit|close knit|safe|diverse|multicultural|integrated|family oriented|wealthy|affluent) [and|friendly|quiet|residential] (area|areas|neighborhood|neighborhoods|community|street|part|block|suburb|town|enclave|people|families|building|vibe)`,
  `(very|so|more|really|quite|less|incredibly|wonderfully|culturally|increasingly|getting) [and|more] (diverse|multicultural|mixed|integrated|gentrified|colorful|homogenous)`,
  `(fit|fits|fitting|blend|blending) [right|perfectly|well|nicely|better] [right] (in)`,
  ...near(
    9,
    'feel comfortable|feel at home|feel right at home|be happier|been happier|be more comfortable|feel out of place|out of place|feel welcome|belong|better off|felt at home|feeling at home|more at ease',
    `${place}|${peopleThere}|your|neighborhood|culture|${direction}`,
  ),
  ...near(
    9,
    'avoid|avoiding|skipping|staying away|steering clear|stay away|steer clear|steer you|stay out|skip|be careful|careful|keep away|look elsewhere|looking elsewhere|look further|look farther|stick to|think twice',
    `${place}`,
  ),
  `(wouldnt|would not|dont|do not|not|never|shouldnt|cant) [personally|really|necessarily] (recommend|suggest|live|walk|move|park|be caught|want to live|feel safe) [in|to|on|that|the|you|there|anywhere|around|alone|moving] ~4 (${place})`,
  `(like|love|prefer|enjoy) [the|that] (${direction}) side [better|more|of]`,
  `(${direction}) (side|end) ~3 (better|nicer|happier|rough|rougher|changing|comfortable|bad|worse|our|clients)`,
  `(getting|gotten|gone|going|went|turned) [pretty|really|a bit|a little|so|very] (rough|rougher|bad|worse|downhill|sketchy|dangerous)`,
  `(conservative|traditional|christian|liberal|family|strong|good|wholesome) [conservative|traditional|family] values`,
  `(kind|sort|type) of (place|area|neighborhood|street|building|people|community) (where|that|who)`,
  `(your|my|our|wrong|right) (kind|sort|type) of (people|folks|neighborhood|neighbors|crowd|person|family)`,
  `(neighborhood|area|block|street|building|part of town|side of town|community|town) ~2 (is|has been|s|has|been|are|keeps) ~1 (changing|changed|turning|turned|declining|declined|transitioning|improving|gentrifying|going downhill|on the rise|not what it was|different now|getting better|getting worse|cleaned up)`,
  `(whos|who is|those|the people|the kind|new people) [thats|that are] moving (in|out)`,
  `(much|lot|way|far) (better|nicer|safer|worse|rougher|quieter|classier) (area|areas|neighborhood|neighborhoods|part|side|street|block|town|zip|end|community)`,
  `(better|nicer|worse|good|bad|rough|safer|best|worst|nice|great|decent|rotten|wrong|right|excellent|desirable|iffy|seedy) (area|areas|neighborhood|neighborhoods|part of (town|the city)|side of|parts of (town|the city)|end of town|section of town|zip code)`,
  `(unsafe|transitional|ghetto|slums|criminal element|bad element|good element|right element|undesirables|demographics|kid friendly|whos who|who lives (there|here|around|nearby))`,
  `(pretty|very|so|really|quite|super|extremely|perfectly|totally|more|less|not|isnt) (safe|dangerous|unsafe|sketchy|secure) [here|there|area|at night|for|to walk|to live|around|neighborhood|block|street|and quiet|place]`,
  `(low|high|minimal|middle|upper|mixed) (income|class) (families|people|area|areas|neighborhood|tenants|renters|residents|housing|folks)`,
  `(steer|stay|keep|stick) (away|clear|out) (from|of)`,
  `(mostly|mainly|all|largely) [owner] [occupied] [by] (professionals|executives|owners|retirees|students|renters|homeowners)`,
  `(bien|muy|super|bastante|mas|tan|no es|es) (segura|seguro|peligrosa|peligroso|insegura|tranquila y segura|fea|brava) [la|el|esa|ese|ahi|de|para]`,
  `(buena|buen|mala|mal|mejor|peor|bonita|excelente) (zona|barrio|vecindario|colonia|area) [para|con|donde|de]`,
  `(evite|eviten|alejese|alejense) ~1 (el|la|esa|ese|del|de) ~1 (sur|norte|este|oeste|zona|barrio|colonia|lado|parte|area)`,
  `(encajarias|encajarian|encajaria|gente tranquila|gente bien|excelentes distritos|familias como)`,
  `(old money|new money|snobbish|snobby|stuck up|hoity toity|country club set|car alarm|patrol cars|patrol car|police presence|neighborhood watch|riff raff)`,
  `(side|area|part|corner|block|neighborhood) ~4 (trouble|problem|problems|bad news|no good|sketchy)`,
  `(district|school|schools|elementary) ~2 (got|gets|earned|received|has) (an|a) (a|f|d|c|b|failing|perfect|top)`,
  `(not to|wouldnt|dont|shouldnt|never|tell ~4 not to) (walk|jog|park|stop|linger|be|live) (there|around there|down there|over there|near there|in that)`,
  `(bad rap|guard down|with their (windows|doors) open|let your guard|reason the rent is low|reason its cheap)`,
  `(gunshots|gunfire|shots|gangbangers|offenders|registered offenders|halfway house|squatting|prostitution|hookers|dealers|addicts|characters|troublemakers|hooligans|delinquents|wrong element|wrong sort|sort out|wrong crowd|locks up|lock up|night and day)`,
  `(keeps|keep|kept|keeping) ~2 (wrong|bad|undesirable|certain|unsavory|sketchy) ~2 (out|away)`,
  `(stick|sticks|stuck|stand|stands) out ~8 (there|street|block|neighbors|area|building|progressive|conservative|bit|like)`,
  `(everyone|everybody|people|they|neighbors) ~2 (looks|look|thinks|think|votes|vote|prays|pray|dresses) ~1 (the same|alike|one way|like you|like us)`,
  `(progressive|conservative|liberal|traditional|religious|artsy) (street|area|neighborhood|town|block|crowd|community|building)`,
  `(kids|children|students|graduates) ~3 (end up|go on|get into|go to|land) ~2 (top|good|great|best|ivy|elite) (colleges|college|schools|universities)`,
  `(youngest|oldest|only young|only older) ~2 (one|ones|person|people|tenant|resident|in the)`,
  `(public education|good education|education system|better education|top colleges|ivy league)`,
  `(stay|stick|keep|look|buy|live|shop|search|focus|head|cross) ~1 (${direction}) of`,
  `(up|in|one of) [and] (up and coming|the safest|the nicest|the best|the worst|the better|the rougher|the sketchier|the most dangerous|the quietest|the most desirable) ~2 (${place})`,
  `(rough|rougher|sketchy|shady|dicey|iffy|seedy|bad) (stretch|strip|edge|end|zip|pocket|side)`,
  `safe (enough|during|in the daytime|by day|as long as)`,
  `(not|wont|wouldnt|dont|never) ~1 (love|like|care for|enjoy|click with|get along with|mesh with) [the|those|your] (people|neighbors|crowd|folks|residents|company)`,
  `(safest|nicest|sketchiest|roughest|quietest|seediest|wealthiest|whitest|best|worst) [little|residential|zip] (${place})`,
  ...near(
    9,
    'at night|after dark|sun goes down|dark|nightfall|nighttime|by yourself|late|after hours|sunset',
    'wont want|wouldnt want|dont want to be|be caught|hang around|fine|inside|home by|shady|okay|sketchy|rough|safe|walk|walking|careful|careful around|comfortable|wouldnt|dont|avoid|worry|park|alone|jog|run|gets|unlocked',
  ),
  `(you|your) (people|kind|type|crowd) [usually|tend|generally|like|prefer|love|belong]`,
  `(rougher|better|different|nicer|younger|older|wilder|tougher|certain|mixed|colorful|interesting|classier) (crowd|element|class|clientele|sort)`,
  `(colorful|interesting|sketchy|rough|questionable|transitional|changing|turning) (area|neighborhood|block|part|street|crowd|side)`,
  `(police|cops|ambulances|sirens|squad cars) ~3 (there|always|every|constantly|all the time|a lot|often|called)`,
  `(lock your doors|lock the doors|lock their doors|sleep well|sleep easy|sleep soundly|rest easy|watch your back|look over your shoulder|keep your wits)`,
  // Spanish
  `(robo|robos|roban|robar|le roban|asalto|ladrones|ladron|rateros|asaltos|asaltan|asaltar|delincuencia|crimen|criminalidad|pandilla|pandillas|pandilleros|drogas|violencia|balaceras|balacera|balazos|tiros|pleitos|tiroteos|vandalismo|vagos|vagabundos|indigentes|maleantes|malandros|narcos)`,
  ...near(
    8,
    'segura|seguro|seguras|seguridad|segurisima|inseguro|insegura|inseguridad|peligrosa|peligroso|peligrosas|peligro|conflictiva|conflictivo|fea|feo|mala fama|buena fama|tranquila y segura|tranquilisima|brava|bravo|pesada|pesado|caliente|bonita la zona',
    'zona|barrio|vecindario|colonia|calle|area|parte|lado|ciudad|de noche|vivir|ahi|alli|alla|edificio|lugar|caminar|rumbo|rumbos|sector|vecindad|cuadra|salir|andar|comunidad',
  ),
  ...near(
    8,
    'de noche|por la noche|en la noche|oscurece|tarde en la noche',
    'ni|no|camine|caminar|salga|solo|sola|acerque|ande|andar|tranquilo|cuidado|cuidese|miedo|zona|calle',
  ),
  ...near(
    11,
    'escuela|escuelas|primaria|primarias|secundaria|secundarias|preparatoria|colegio|colegios|distrito escolar|distrito',
    'buena|buenas|buenos|bueno|buenisimas|buenisimos|buenisima|excelente|excelentes|mejor|mejores|mala|malas|malisimas|peor|peores|calificacion|calificada|calificadas|calificado|reconocida|prestigio|fama|encantaria|nivel|alto nivel|pesimas|recomiendo|malos|que desear|sobresaliente|premiada|premiadas|puntaje|diez|se pelean|entrar|reputacion|problemas|de primera|destacan|destacadas|flojas|bajas|bajos resultados|altas',
  ),
  ...near(
    8,
    'vecinos|gente|personas|vecindario|residentes|inquilinos|ambiente',
    'decente|decentes|bien|educada|educados|rica|humilde|profesional|profesionales|trabajadora|trabajador|mayor|joven|como usted|como ustedes|de su tipo|de bien|de dinero|con dinero|mucho dinero|adinerados|acomodados|ricos|trabajadores|humildes|acomodada|de clase|adinerada|respetable|fina|corriente|de su edad|buena clase|de nivel|conservadores',
  ),
  `(no es|es) [una] (zona|colonia|lugar|barrio|calle|edificio) (para|de) ~2 (familia|familias|gente|personas) [decente|decentes|bien|como|buena]`,
  `(encajar|encaja|encajan|encajaria|encajarian|encajara|cuadrar|integrarse) ~3 (bien|perfecto|perfectamente|vecinos|ahi|alli|gente|zona|barrio|comunidad)`,
  `(ustedes|usted) los (latinos|hispanos|mexicanos|jovenes|mayores)`,
  `(no) [se|lo|le] (meta|acerque|mude|metan|acerquen|muden|vaya|vayan) ~4 (zona|barrio|colonia|lado|ahi|alli|parte|rumbo|calle|sur|norte)`,
  `(familia|gente|personas|vecinos|alguien) como (la de ustedes|la suya|usted|ustedes|nosotros|tu)`,
  `(sentira|sentiria|sentirian|sentiran|encajar|encajaria) [mas|muy] (como en casa|en familia|a gusto|comodo|comoda|bien ahi)`,
  `(no) [le|les|te|se|lo|yo] [lo] (viviria|recomiendo|recomendaria|compraria|rentaria|conviene|aconsejo) ~3 (ahi|alli|lado|zona|parte|barrio|colonia|norte|sur|esa|ese)`,
  `(mejor) (busque|busca|buscar) [en] (otro|otra) (lado|lugar|zona|parte)`,
  `(ahi|alli|alla|por ahi|por alla) [yo] no (viviria|viviriamos|mudaria|me mudaria|caminaria|andaria|compraria|compraria|rentaria|llevaria)`,
  `no (me mudaria|caminaria|andaria|viviria|llevaria) ~3 (ahi|alli|alla|lado|zona|barrio|colonia)`,
  `(evitar|evitaria|evitaria|evitemos|eviten|alejarse) ~1 (el|la|esa|ese|del|de|esos|esas) ~1 (sur|norte|este|oeste|zona|barrio|colonia|lado|parte|area|rumbo|rumbos|zonas|barrios)`,
  `(gente|personas|vecinos|inquilinos|los que viven|residentes) ~5 (problematica|problematico|problematicas|problematicos|conflictiva|conflictivas|conflictivos|peligrosa|peligrosas|peligrosos|maleante|maleantes|escandalosa|escandalosos)`,
]
