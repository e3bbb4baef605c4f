/** Where a home is. What is said of a school in between counts: the phrases beside this folder see it. */
export const nearby: readonly string[] = [
  `(near|by|across from|next to|close to|beside|blocks from|blocks to|minutes from|minutes to|steps from|walk to|distance to|distance of|distance from|facing|opposite|behind|cerca de|junto a|frente a) [a|an|the|to|of|several|local|la|el|una|un] ~2 (school|schools|elementary|church|mosque|temple|synagogue|chapel|parish|park|college|university|escuela|iglesia)`,
]

/** What nobody is asked for: named in a list, it says that all are welcome. */
const trait =
  '(race|color|creed|religion|religions|faith|sex|gender|gender identity|orientation|sexual orientation|family status|familial status|family size|disability|disabilities|handicap|national origin|origin|nationality|ethnicity|ancestry|age|marital status|military status|veteran status|source of income|income|background|backgrounds)'
const rasgo =
  '(raza|color|credo|religion|sexo|genero|identidad|orientacion|orientacion sexual|estado familiar|situacion familiar|discapacidad|origen|origen nacional|nacionalidad|edad|estado civil|ingresos)'
const list = (one: string, joint: string, most: number) =>
  `${one} ${`[[${joint}] ${one}] `.repeat(most - 1).trim()}`

/**
 * What the rules of this folder read over: features of homes and buildings, names of places, ways of speaking, and what says
 * that all are welcome.
 */
export const harmless: readonly string[] = [
  // Homes and buildings
  `(family|living|great|dining|rec|recreation|play|kids|childrens|mud|sun|safe|guest|media) (room|rooms|bath|bathroom|bathrooms|closet|closets|bedroom|bedrooms|suite|playroom|playground|pool|den|loft)`,
  `(single|two|2|three|3|four|4|multi|multiple) (family|families) [home|homes|house|houses|building|buildings|residence|property|properties|unit]`,
  `(singlefamily|multifamily|playroom|playground|master bedroom|mother in law|in law)`,
  `(wheelchair|handicap|disability|mobility|accessible) (ramp|ramps|accessible|accessibility|access|lift|lifts|parking|entrance|entry|bathroom|friendly)`,
  `(no|without|few|not many|any) [entry] (step|steps|stairs|elevator|threshold)`,
  `(step|stair) free`,
  `(safety|security|secure) (inspection|feature|features|rail|railing|glass|gate|system|systems|deposit|deposits|camera|cameras|door|doors|entry|entrance|garage|parking|building entry|detectors|latch|code|codes|storage|bike)`,
  `(secure|gated) (parking|garage|entry|building|package|storage)`,
  `(home|house|place|places) of worship`,
  `(catholic|christian|baptist|lutheran|methodist|orthodox|jewish|muslim|mormon|korean|hindu|presbyterian|episcopal|evangelical) (church|churches|school|cemetery|hospital|temple|synagogue|mosque|chapel|charities|university|college|center)`,
  `(school|schools) (bus|zone|calendar|year|supplies|boundary|boundaries|assignment|information|reports|locator|district website|district map)`,
  `(indian|spanish|french|german|chinese|irish|polish|american|mexican|asian|white|black|brown) (restaurant|restaurants|food|grocery|market|bakery|style|colonial|tile|cabinets|oak|standard|kitchen|trim|walls|brick|creek|river|hill|lake|road|street|avenue|express|dream)`,
  `(speaking|speaks) (agent|agents|colleague|staff|person|assistant|team)`,
  `(veterans|memorial|mothers|fathers|womens|presidents) (day|park|highway|hall|hospital|road|drive|memorial)`,
  // Ways of speaking
  `(you|both|thanks|thank you|hey|hi|hello) (guys|folks)`,
  `rough (idea|estimate|sense|timeline|budget|range|number|draft|date)`,
  `(safe|good) (trip|travels|journey|flight|drive|bet|to say|to text|to assume)`,
  `(stay|drive|travel) safe`,
  `(no|not a) (problem|problems|worries|trouble|pressure|rush|obligation|issue)`,
  `(dont|no need to) worry (about it|at all|at)`,
  `(not|isnt) sure`,
  `rest assured`,
  `best (way|place|time|day|number|source|person|answered|left|reached|asked|email|phone|next step|regards|wishes|bet to)`,
  `best (place|way|person) to (look|ask|call|reach|find|check)`,
  `worth (a (look|visit|try|call|stop|conversation|second look|showing|tour|shot)|seeing|visiting|asking|checking|considering|looking|noting|exploring|touring|mentioning|discussing|knowing|it for you|a thought|my|your time|your while)`,
  `(your|the|own|a) (family|kids|children|son|daughter|husband|wife|partner|spouse|mom|mother|dad|father|parents) (would|will|can|is|are) (like|love|enjoy) to (see|come|join|visit|tour)`,
  `happy (thanksgiving|holidays|birthday|new year|mothers day|fathers day) [to] [you] [and] [your] [family]`,
  `sure thing`,
  `(price|budget|payment) (range|point|points|bracket|limit|alert|alerts|history|list|drop alert|change|changes)`,
  `(offer|offers|offered|offering) [you] [a|an|some|to|several|free|our|help|virtual|in] (tour|tours|showing|showings|help|person|consultation|time|times|virtual|guidance|assist)`,
  `(cancel|reschedule|confirm|keep|return|back out of|break) [the|your|a|my|our|that|this] (showing|showings|appointment|tour|visit|call|meeting|conversation|texts|messages|alerts|subscription|calls|call)`,
  `(know|find out|learn|see|tell you|estimate|hear|out) [you] (what|how much) [your (home|house|place|property)|it|the (home|house|place)|similar homes|they] (could|would|might|will|have|has|is|are|sells|sell|sold|may) [be|have] [worth|sell|sold|selling|go|going|sells] [for]`,
  `(if|in case) [that|this|the|it] ~3 too (expensive|high|much|low|small|big|far|steep)`,
  `[rent|price|it|one|budget|that] [is|are|s|was|seems] too (high|expensive|much|big|small|far|low|steep) for (you|your budget)`,
  `(listing|association) (says|describes|lists) [it] [as|is] [a] 55 (and over|or older|and older|plus|or over)`,
  `[assistance|service|support] (animals|dogs) (dont|do not|never) count as pets`,
  `(team|agents|staff|agent|i|we|colleague|us|office|one) [also|all] (speak|speaks) (english|spanish)`,
  `no guarantee`,
  `school (quality|questions|options|information|info)`,
  `questions about [school|the|local] (schools|school|crime|safety)`,
  `fit [right|well|nicely|perfectly] [right] in [the|your|a] (living room|garage|dining room|kitchen|room|budget|corner|closet|bedroom|hallway|space|driveway)`,
  `gun safe`,
  `[good] (school|schools) of thought`,
  `(promise|promised) [you] (to keep|to be brief|to get back|to pass|to let|to ask|to follow up)`,
  `(seller|sellers|owner|owners) may (accept|reject|counter|consider|decline) [accept|reject|counter|decline|or|and|any|your|an|it|another] [or|counter|any|it] [any|counter] [offer|offers]`,
  `as (the|fair housing) [housing] law (requires|says|prohibits)`,
  `only (man|woman|person) for the job`,
  `(village|town|center|square|heights|park|hill) (area|parking|district|station|library)`,
  `(ukrainian|greek|polish|german|italian|jewish|korean|mexican|irish) (village|town|center|square|triangle|cultural center|community center|heritage museum|museum|restaurant|deli|bakery|town area|village area)`,
  `(para|la) su firma`,
  `sign (up|in|off|language)`,
  `(tax|assessors|assessor|county|property) (records|record|tax records|professional|assessor|advisor|office|roll)`,
  `(if|when|once|before|in case) (you|youre|you are|they|theyre) [are|do|need|want|plan on|considering] [to] (get|getting|need|want|use|using|take|taking|apply for) a (loan|mortgage)`,
  `(look up|find|see|check|view|post|posts|publish|publishes) [public|the|local|official] crime (map|maps|data|statistics|reports)`,
  `(55|60|62|65) [+|plus|and over|and older|or older|or over] ~1 (community|building|complex|housing) (according to|as per|per) (the|its|their) (listing|association|seller)`,
  // Welcome to all
  `(regardless|irrespective) of [their|your|anyones|his|her] ${list(trait, 'or|and', 9)}`,
  `discriminate (by|for|on|over|based on|against|because of|on the basis of) [any] ${list(trait, 'or|and', 9)}`,
  `(sin importar|independientemente de|discriminamos por|discriminamos por motivos de) [su|la|el|de la|del] ${list(rasgo, 'o|y|e|ni|u', 9)}`,
  `(under|per|by|following|because of|due to) [the|federal|state|our] (fair|equal) housing (law|laws|act|rules|regulations|guidelines)`,
  `(kids|children|families [with (kids|children|pets)]|everyone|everybody|anyone|all|animals|dogs|pets|vouchers|veterans|seniors|students) [and (kids|families|pets|everyone)] (is|are) [all|always|also|very|more than|most|certainly|of course] (welcome|fine|ok|okay|allowed|accepted|invited)`,
  `(accept|accepts|welcome|welcomes|welcoming|take|takes) [all|any|everyone|buyers|people|housing|section|both|with|of|and|service|emotional|support] [housing|8|choice|backgrounds|kinds] (vouchers|voucher|buyers|renters|families|everyone|backgrounds|section 8|animals|applicants)`,
  `no (discrimination|preference|restrictions|limit|age limit|age restriction) [on|about|for|as] [who|age|to]`,
  `(aceptamos|acepta|aceptan) (vales|cupones|vouchers|seccion 8|ninos|mascotas)`,
  `(ninos|animales|todos|familias) [de servicio] son [muy|siempre] (bienvenidos|bienvenidas)`,
  `(buen|feliz) (viaje|dia|fin|regreso)`,
  `(sala|cuarto|recamara|habitacion|bano) (familiar|principal|de ninos|de servicio|para ninos)`,
]
