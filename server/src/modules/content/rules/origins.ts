import { near } from './near.ts'
import { asks, lives, most, ofPeople, sending, wants } from './treatment.ts'

const nations =
  'asian|indian|chinese|korean|japanese|vietnamese|filipino|mexican|african|african american|arab|arabic|middle eastern|polish|russian|ukrainian|irish|italian|german|greek|persian|iranian|pakistani|bangladeshi|nepali|somali|haitian|nigerian|ethiopian|sudanese|ghanaian|egyptian|moroccan|syrian|iraqi|afghan|turkish|bosnian|albanian|romanian|bulgarian|serbian|cuban|puerto rican|dominican|jamaican|salvadoran|guatemalan|honduran|nicaraguan|colombian|ecuadorian|peruvian|brazilian|venezuelan|eastern european|european|thai|cambodian|hmong|burmese|taiwanese|israeli|lebanese|palestinian|portuguese|caribbean|west indian|native american|pacific islander|american born|foreign|foreign born|american|spanish speaking|chinese speaking|non english'
const colors = 'white|black|brown|colored|darker|lighter'
const people =
  'people|person|persons|folks|family|families|couple|couples|client|clients|buyer|buyers|tenant|tenants|renter|renters|applicant|applicants|resident|residents|neighbor|neighbors|household|households|owner|owners|population|professionals|kids|children|students|congregation|men|women|man|woman|guys|culture|accent|names|immigrants'
const places =
  'community|communities|neighborhood|neighborhoods|area|block|enclave|enclaves|crowd|part of town|suburb|suburbs|town|side|street|city|district|building|complex'

const countries =
  'afghanistan|algeria|argentina|bangladesh|bolivia|bosnia|brazil|brasil|burma|cambodia|cameroon|chile|china|colombia|congo|costa rica|cuba|ecuador|egypt|egipto|el salvador|eritrea|ethiopia|etiopia|ghana|greece|guatemala|haiti|honduras|india|iran|iraq|irak|jamaica|japan|korea|kosovo|laos|liberia|mexico|morocco|nepal|nicaragua|nigeria|pakistan|panama|peru|poland|puerto rico|romania|russia|rusia|rwanda|salvador|senegal|serbia|siria|somalia|south korea|sudan|syria|taiwan|thailand|the dominican republic|the middle east|the philippines|turkey|uganda|ukraine|ucrania|uzbekistan|venezuela|vietnam|yemen|la india|la republica dominicana|africa|asia|medio oriente|europa del este|centroamerica|sudamerica'

/** Race, color, and where people come from. Most of these words are findings on their own. */
export const origins: readonly string[] = [
  `(getting|gotten|becoming|turning|increasingly|more|less|too) [more|less|very|pretty|so] (asian|indian|chinese|korean|vietnamese|mexican|african|arab|polish|russian|haitian|somali|foreign|black|brown|ethnic)`,
  ...ofPeople(
    'race|races|poles|greeks|germans|caucasian|ethnic|heritage|immigrant|immigration|outsiders|wasp|wasps|migrants',
  ),
  `(native americans|italians|armenians|lebanese people|egyptians|jamaicans|ethiopians|colombians|brazilians|peruvians|ecuadorians|bosnians|albanians|serbs|turks|iranians|persians|afghans|syrians|iraqis|yemenis|palestinians|gypsies|latino|latinos|latina|latinas|latinx|hispanic|hispanics|caucasians|anglos|asians|blacks|whites|africans|mexicans|koreans|filipinos|pakistanis|arabs|russians|haitians|somalis|nigerians|ukrainians|cubans|dominicans|puerto ricans|salvadorans|guatemalans|venezuelans|hondurans|immigrants|foreigner|foreigners|minorities|ethnicity|ethnicities|ethnically|nationality|nationalities|national origin|biracial|interracial|racial|racially|people of color|person of color|melting pot|homogenous|homogeneous|undocumented|illegals|illegal aliens|deported|last name|surname|foreign sounding|gringos|gringo|inmigrante|inmigrantes|extranjero|extranjeros|extranjeras|latinoamericanos|centroamericanos|indocumentado|indocumentados|ilegales|nacionalidad|hispanos|afroamericanos|asiaticos|mexicanos|haitianos|venezolanos|estadounidense|estadounidenses|(real|true|born|native born|proud) americans|middle easterners|easterners|birth certificate|native speakers|native speaker|you people|ancestry|cholo|cholos|headscarf|dreadlocks|(as|like|call it|in) little (bangladesh|mexico|haiti|manila|saigon|odessa|india|ethiopia|armenia|pakistan|russia))`,
  `(skin (color|tone)|complexion|(light|lighter|dark|darker|fair|fairer|brown|pale) (skin|skinned|complexioned)|de piel|color de piel|tez)`,
  ...near(
    8,
    'refugee|refugees|asylum seekers',
    `${people}|${places}|${lives}|${wants}|${sending}|${most}|no|not|doesnt|wont|landlord|owner`,
  ),
  ...near(7, nations, people),
  ...near(1, nations, places),
  ...near(3, nations, most),
  ...near(8, nations, `${lives}|${wants}|${sending}|used to be|welcome|pay cash`),
  `(${colors}) [american] (${people}|${places}|applicant|applicants|guy|guys|guests|faces)`,
  ...near(
    3,
    'white|black',
    'mostly|predominantly|mainly|largely|majority|still|all|primarily|overwhelmingly|heavily|becoming|turned|turning|used to be|neighborhood is|people|neighbors|residents|tenants|families|folks',
  ),
  `(very|pretty|mostly|so|all|really|quite|too|heavily|predominantly|largely|almost all|nearly all) (white|black|brown) [and|people|families|suburb|area|town|neighborhood|here|there|around]`,
  `(people|folks|neighbors|residents|families|owners|tenants|renters|everyone|everybody|kids|students|couples|majority|most) ~6 (is|are|were|was) [all|mostly|mainly|also|pretty much] (white|black|brown|${nations})`,
  `(are you|whether (youre|you are|theyre)|if (youre|you are|theyre)) [both|all|a|an] (white|black|brown|${nations})`,
  `(buyer|buyers|they|tenant|tenants|applicant|applicants|you|he|she|family|everyone|seller|owner) (is|are|was|were) [all|both|also|mostly] (white|black)`,
  `(nonwhite|non white|part of town ~2 (black|white))`,
  `(your|his|her|their|same|similar|own|different|from other) [own|ethnic|cultural|same] (culture|cultures|background|backgrounds|people|race|origin|country|countries|kind|roots|homeland)`,
  `(from|of) (your|the same|a different|a similar|another|other) (culture|cultures|background|backgrounds|country|countries|part of the world)`,
  `(from|born in|born abroad) ~2 (eastern europe|africa|asia|india|china|mexico|latin america|south america|central america|middle east|overseas|abroad|another country|other countries|that country|back home)`,
  `(born|raised) ~1 (here|abroad|overseas|in (this|the|another|our) (country|us|usa|states|united states)|in america|in the us|in the states|outside)`,
  `where (are|is|were|did) (you|they|your family|he|she|your parents) [really|originally] (from|born|come from|originally|come)`,
  `[are you|is he|is she|are they] originally from (here|around|another|where|what|this)`,
  `(what|which) (country|race|nationality|culture) (are|is|do|were|did)`,
  `(certain|some|those|third world|poor|other|foreign|your|their|his|her) (countries|country|nationalities|cultures|backgrounds) ~8 (people|tenants|renters|families|put|owner|landlord|buyers|prefer|too many|complains|dont|move)`,
  `(people|tenants|renters|families|buyers|those|folks) from (certain|those|some|other|foreign|third world|your) (countries|places|cultures|backgrounds|parts)`,
  `(at home|belong|comfortable|fit in|try|happier|like) ~3 (chinatown|koreatown)`,
  `(not|dont look|arent|isnt) ~4 from [around] here`,
  `(morenos|morenas|prietos|indios)`,
  `(residencia|ciudadania|pasaporte|visa|seguro social) ~3 (rentar|rentarle|requisito|piden|pedir|para)`,
  `(piden|pedir|exigen|exige|pide) ~2 (residencia|ciudadania|pasaporte|visa|papeles|seguro social)`,
  `(name|names|last name|surname) ~2 (sounds|sound|seems|foreign|arabic|hispanic|ethnic)`,
  `(apellido|apellidos|ciudadano|ciudadanos|ciudadana|piel oscura|piel clara)`,
  `(skin|lighter|darker|fair|dark) (complexion|complexions|skinned)`,
  `(raised|grew up|grow up) ~2 (here|this country|america|states)`,
  `(too|bit|little|little too|more|less) (diverse|ethnic|multicultural)`,
  `(curry|cooking smells|smelly food|spices|ethnic food|strong smells|foreign food)`,
  ...near(
    8,
    'interpreter|translator',
    'wont|doesnt|not|needs|without|counter|deal with|owner|seller|landlord|no',
  ),
  `(is|quite|so|really|super|all) (italian|irish|polish|greek|german|russian|korean|chinese|asian|indian|mexican)`,
  `(your|her|his|the|their|an|noticed ~1) accent`,
  `where did you grow up`,
  `(suited|better|more|geared|comfortable|fit) ~2 your (community|culture|people|background|heritage|crowd)`,
  `(you|youre|you are|he|hes|she|shes|they|theyre|buyer|buyers|husband|wife|family|kids|tenant|tenants|applicant) (is|are|isnt|arent|who isnt|who is|not) [so|too|very|that|pretty|a bit] (dark|brown|native|nonwhite)`,
  `(you|youre|you are|hes|shes|theyre|they are) (white|black|brown|native) (like|so|and thats|which is why)`,
  `(tell|told|telling) ~1 (${nations}) (callers|caller|people|folks|families|buyers|applicants|renters|tenants) ~4 (taken|gone|rented|leased|unavailable|under contract|off the market)`,
  `(blacker|whiter|browner)`,
  `how (dark|brown|black|white) (is|are|your|his|her|the (husband|wife|buyer|tenant|family|couple|kids))`,
  `[theres|there is|has|have|with] [no|little|not much|too much|a lot of|much] diversity (on|in) (this|the|that|our) (block|street|building|neighborhood|area|complex|community)`,
  `people of (your|her|his|their|our|my) own (color|kind|race|faith|background)`,
  `(your|his|her|their|own) own (color|race)`,
  `(your|their) (community|people) (likes|prefers|usually|tends|tend|lives|live|prefer)`,
  `(us|american|legal|naturalized|united states) (citizen|citizens|citizenship|resident|residents|by birth|born)`,
  ...ofPeople('visa|passport|citizens'),
  `(citizen|citizenship|green card|green cards|work permit|legal status|born here)`,
  ...near(
    9,
    'accent|accents|english|language|languages|tongue',
    `landlord|owner|owners|must|only|fluent|fluently|required|need to|needs to|has to|have to|considered|prefers|doesnt want|proper|thick|heavy|foreign|first language|dont speak|doesnt speak|cant speak|well enough|rent to|accepted|broken|perfect english|sound|sounds|${asks}`,
  ),
  `(speak|speaks|understand|understands) [good|fluent|proper|perfect] english [well|fluently|only|required]`,
  `(chinese|korean|spanish|polish|russian|arabic|english|hindi) (speaker|speakers|speaking) ~1 (only|preferred|people|families|tenants|neighborhood|area|buyers|neighbors|community)`,
  `(hablantes|habla) de (ingles|inglesa|habla inglesa)`,
  `(cual|de que|que) ~2 (origen|nacionalidad|raza|pais)`,
  `(here|in the country|in this country|in the us|in the states|staying) (legally|illegally|lawfully)`,
  `(legally|lawfully) (here|in the country|in this country|residing|present)`,
  `(non|limited) english [speaking|speakers|proficiency]`,
  `(ingles|acento|idioma) ~5 (requisito|obligatorio|perfecto|aceptar|aceptan|fluido|rentan|dueno|duena|bien|no lo|no la)`,
  `(requisito|deben|debe|tienen que|tiene que|hay que|necesita|dominar|exigen|solo|que) ~3 (hablar|hable|hablen|dominar|dominen|saber) ~1 (ingles)`,
  `(dueno|duena|propietario|casero|vendedor) ~6 (ingles|acento|idioma)`,
  `(con|por|su|ese|mucho) ~1 (acento)`,
  `(de que|su|cual es su|del mismo|de su|de su mismo|de otro|de otros) (pais|paises|nacionalidad|raza|origen|cultura|tierra|gente) [es|viene|son|usted]`,
  `(con|entre) su (gente|raza|cultura|comunidad)`,
  `de (donde|que pais) (es|son|viene|vienen) [usted|ustedes|su]`,
  `(nacido|nacidos|nacida|nacio|nacieron|nacimiento|origen) ~2 (aqui|aca|en este pais|en (los|estados)|afuera|extranjero|fuera)`,
  ...near(
    3,
    'gente|familia|familias|personas|vecinos|mayoria|puros|puras|inquilinos|pareja|parejas|viven|casi todos|todos son|son todos|compradores|hombres|mujeres|barrio',
    'blanca|blancas|blancos|negra|negras|negros|morena|morenos|morenas|de color',
  ),
  ...near(
    8,
    'gente|familia|familias|personas|vecinos|mayoria|puros|puras|barrio|zona|comunidad|colonia|vecindario|cuadra|calle|mayormente|predominantemente|clientes|son|todos|inquilinos|pareja|parejas|viven|dueno|duena|bloque|edificio|ustedes|usted|vendedor|renta|rentan|comprador',
    'mexicana|mexicano|mexicanas|asiatica|asiaticas|chinos|chinas|arabes|arabe|indios|africanos|coreanos|rusos|cubanos|dominicanos|colombianos|americanos|americano|americana|americanas|hispana|hispanas|hispano|latinas|latina|latinos|latino|de su pais|de su cultura|paisanos|guatemaltecos|salvadorenos|hondurenos|boricuas|boricua|puertorriquenos|afroamericano|afroamericana|afroamericanos|nicas|nicaraguenses|peruanos|ecuatorianos|argentinos|venezolana|venezolano|haitiano|chino|china|asiatico|indio|coreano|filipinos|polacos|italianos|gringos|indigenas|negro|negra|blanco|migrantes',
  ),
  `(con|sin|tengan|tienen|tiene|traiga) (papeles|documentos migratorios|residencia legal)`,
  `(estatus|estado|situacion) (migratorio|migratoria)`,
  `(people|person|persons|folks|family|families|couple|couples|tenant|tenants|renters|applicants|applicant|buyers|anyone|anybody|someone|somebody|those|neighbors|immigrants|men|women|guys) [who|thats|thatre|whos] [are|is|came|come|originally|moved] [here|originally] from (${countries})`,
  `(gente|persona|personas|familia|familias|pareja|parejas|inquilinos|solicitantes|compradores|alguien|nadie|vecinos|los) [que] [es|son|vienen|viene|venga|vengan|llegaron] de (${countries})`,
  `(keep|keeps|keeping|kept|stay|stays|stayed|remain|remains) ~1 (building|block|street|neighborhood|community|complex|town|subdivision|side) [mostly|all|mainly] (white|black|${nations})`,
  `(solo|solamente|unicamente|exclusivamente|puros|puras|nomas|nada mas|prefiere|prefieren|ni|sin|no queremos|no quieren|no quiere) [a|para|rentar a|rentarle a] (blancos|blancas|negros|negras|morenos|morenas|prietos)`,
]
