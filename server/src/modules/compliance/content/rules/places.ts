import { near } from './near.ts'

const place =
  'area|areas|neighborhood|neighborhoods|neighbourhood|street|streets|block|blocks|part|parts|side|town|zip|zip code|zip codes|county|city|community|complex|suburb|suburbs|pocket|pockets|district|subdivision|building|spot|corner|station|park|place|south|north|east|west|there|around|enclave|village|zone|corridor|tracks'
const direction = 'south|north|east|west|southside|northside'
const judged =
  'good|great|best|better|top|excellent|outstanding|strong|strongest|fantastic|wonderful|amazing|terrific|superb|stellar|solid|decent|nice|bad|poor|terrible|weak|weaker|failing|worse|worst|lacking|mediocre|average|rated|ranked|rank|ranks|rates|rating|ratings|score|scores|regarded|performing|reputation|renowned|acclaimed|award|awards|prized|desirable|desired|sought|coveted|choice|smart|worth|quality|stay away|avoid|recommend|matter|matters|love|proud|struggling|leave a lot|known|draw|reason|pay more|envy|impressive|exceptional|notch|finest|superior'
const schools =
  'school|schools|elementary|middle school|high school|school district|academy|test scores|state tests|kindergarten|graduation rate|graduation rates'
const peopleThere =
  'neighbors|neighbours|residents|people|folks|homeowners|crowd|population|tenants|renters|locals|occupants|demographic|demographics|clientele|families'
const traits =
  'young|younger|old|older|professionals|wealthy|affluent|rich|educated|working class|blue collar|white collar|upper class|middle class|low income|poor|decent|nice|kind|nicest|like you|like yourself|similar|your kind|wrong kind|right kind|better class|friendly|quiet|conservative|liberal|artsy|hip|hipster|classy|respectable|diverse|mixed|retired|religious|successful|executives|doctors|lawyers|engineers|teachers|artists|good company|down to earth|well off|riffraff|undesirable|desirable|clean cut|trashy|rowdy|exclusive|culture|background|same|happier|changing'

/** Who lives in a place, how safe it is, how good its schools are: near words for places. */
export const places: readonly string[] = [
  `(crime|crimes|criminals|theft|thefts|burglary|burglaries|robbery|robberies|robbed|break ins|break in|breakins|gang|gangs|drugs|drug (activity|dealers|dealing|deals|users)|shooting|shootings|shots fired|homeless|homelessness|panhandlers|vagrants|violence|violent|vandalism|vandals|riffraff|thugs|ghetto|muggings|carjackings|sex offenders|loiterers|loitering)`,
  ...near(
    6,
    'safe|safer|safest|safety|unsafe|secure|dangerous|danger|sketchy|rough|rougher|shady|seedy|scary|dicey|iffy|worry about|peace of mind',
    `${place}|at night|after dark|kids|children|live|living|walk|walking|feel|feels|family|women|alone|doors`,
  ),
  `(relax|worry|worried|worries|feel good|good feeling|peace of mind|concerned) ~2 (safety|security|crime|walking|the area|the neighborhood)`,
  `(leave|leaves|left|keep) [their|your|his|her|the] (doors|door|cars|bikes) [unlocked|open]`,
  `(walk|walking|go out|jog|out) [there|around|home|alone|by yourself] [alone] (at night|after dark|alone at night|late at night)`,
  `nothing [bad|ever] [ever] happens`,
  `(bad|good|poor|rough|great|terrible|better|worse|mixed|certain|terrific|excellent) (reputation|rep|vibe|element|elements)`,
  `(demographics|demographic|demographically|gentrifying|gentrification|up and coming|sketchy|good old days)`,
  ...near(7, schools, judged),
  ...near(7, schools, 'kids|children|parents|students|families|teachers|move|moved|moving|do well'),
  ...near(
    6,
    'police|cops|patrol|patrolled|patrols',
    'called|block|street|rarely|hardly|always|often|never|neighborhood|streets|keep',
  ),
  ...near(
    3,
    'district',
    'good|great|best|top|excellent|outstanding|strong|bad|poor|weak|rated|ranked|stay away|avoid|award|blue ribbon|acclaimed|desirable|sought|notch|failing',
  ),
  ...near(5, peopleThere, traits),
  ...near(
    4,
    'attract|attracts|draws|caters|popular|geared|appeals|favorite|home to|haven|magnet',
    `${peopleThere}|retirees|families|couples|singles|professionals|students|artists|expats|crowd|buyers|set`,
  ),
  `(exclusive|wholesome|classy|upscale|respectable|upper class|working class|blue collar|low income|high income|inner city|tight knit|close knit|safe|diverse|multicultural|integrated|family oriented|wealthy|affluent) [and|friendly|quiet|residential] (area|areas|neighborhood|neighborhoods|community|street|part|block|suburb|town|enclave|people|families|building|vibe)`,
  `(very|so|more|really|quite|less|incredibly|wonderfully|culturally|increasingly|getting) [and|more] (diverse|multicultural|mixed|integrated|gentrified|colorful|homogenous)`,
  `(fit|fits|fitting|blend|blending) [right|perfectly|well|nicely|better] [right] (in)`,
  ...near(
    6,
    'feel comfortable|feel at home|feel right at home|be happier|been happier|be more comfortable|feel out of place|out of place|feel welcome|belong|better off|felt at home|feeling at home|more at ease',
    `${place}|${peopleThere}|your|neighborhood|culture|${direction}`,
  ),
  ...near(
    6,
    'avoid|stay away|steer clear|steer you|stay out|skip|be careful|careful|keep away|look elsewhere|looking elsewhere|look further|look farther|stick to|think twice',
    `${place}`,
  ),
  `(wouldnt|would not|dont|do not|not|never|shouldnt|cant) [personally|really|necessarily] (recommend|suggest|live|walk|move|park|be caught|want to live|feel safe) [in|to|on|that|the|you|there|anywhere|around|alone|moving] ~4 (${place})`,
  `(like|love|prefer|enjoy) [the|that] (${direction}) side [better|more|of]`,
  `(${direction}) (side|end) ~3 (better|nicer|happier|rough|rougher|changing|comfortable|bad|worse|our|clients)`,
  `(getting|gotten|gone|going|went|turned) [pretty|really|a bit|a little|so|very] (rough|rougher|bad|worse|downhill|sketchy|dangerous)`,
  `(conservative|traditional|christian|liberal|family|strong|good|wholesome) [conservative|traditional|family] values`,
  `(kind|sort|type) of (place|area|neighborhood|street|building|people|community) (where|that|who)`,
  `(your|my|our|wrong|right) (kind|sort|type) of (people|folks|neighborhood|neighbors|crowd|person|family)`,
  // Spanish
  `(robo|robos|roban|robar|asalto|asaltos|asaltan|asaltar|delincuencia|crimen|criminalidad|pandilla|pandillas|pandilleros|drogas|violencia|balaceras|vagos|maleantes)`,
  ...near(
    4,
    'segura|seguro|inseguro|insegura|peligrosa|peligroso|conflictiva|fea|mala fama|tranquila y segura',
    'zona|barrio|vecindario|colonia|calle|area|parte|lado|ciudad|de noche|vivir|ahi|alli|edificio|lugar|caminar',
  ),
  ...near(
    6,
    'escuela|escuelas|primaria|secundaria|colegio|colegios|distrito escolar',
    'buena|buenas|buenos|excelente|excelentes|mejor|mejores|mala|malas|calificacion|calificada|calificadas|reconocida|prestigio|fama|encantaria|nivel|pesimas|recomiendo|malos',
  ),
  ...near(
    4,
    'vecinos|gente|personas|vecindario|residentes',
    'decente|decentes|bien|educada|educados|rica|humilde|profesional|profesionales|trabajadora|mayor|joven|como usted|como ustedes|de su tipo|de bien|de dinero|con dinero|de clase',
  ),
  `(familia|gente|personas|vecinos|alguien) como (la de ustedes|la suya|usted|ustedes|nosotros|tu)`,
  `(sentira|sentiria|sentirian|sentiran|encajar|encajaria) [mas|muy] (como en casa|en familia|a gusto|comodo|comoda|bien ahi)`,
  `(no) [le|les|te|se|lo|yo] [lo] (viviria|recomiendo|recomendaria|compraria|rentaria|conviene|aconsejo) ~3 (ahi|alli|lado|zona|parte|barrio|colonia|norte|sur|esa|ese)`,
  `(mejor) (busque|busca|buscar) [en] (otro|otra) (lado|lugar|zona|parte)`,
]
