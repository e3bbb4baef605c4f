export const fixtures =
  'elevator|elevators|lift|lifts|alarm|alarms|gate|gates|door|doors|opener|openers|lock|locks|lockbox|deadbolt|keypad|camera|cameras|doorbell|intercom|outlet|outlets|switch|switches|breaker|breakers|circuit|fuse|sensor|sensors|detector|detectors|thermostat|furnace|boiler|heater|ac|air conditioner|compressor|fan|fans|vent|vents|pump|pumps|sprinkler|sprinklers|faucet|faucets|valve|valves|toilet|toilets|bidet|disposal|dishwasher|oven|ovens|stove|range|refrigerator|fridge|freezer|washer|dryer|hood|fireplace|mantel|chimney|damper|hinge|hinges|latch|latches|knob|knobs|handle|handles|railing|rails|banister|stair|stairs|step|steps|escalator|window|windows|pane|shade|shades|shutter|shutters|blinds|curtain|curtains|drape|drapes|skylight|ceiling|beam|beams|joist|joists|stud|studs|rafter|rafters|post|wall|walls|roof|gutter|gutters|downspout|shingle|shingles|plank|planks|panel|panels|pipe|pipes|drain|drains|duct|ducts|wire|wires|wiring|cable|meter|meters|generator|tank|spigot|hydrant|fence|fences|deck|dock|driveway|sidewalk|curb|patio tile|cabinet|cabinets|drawer|drawers|closet|closets|shelf|shelves|counter|counters|countertop|countertops|backsplash|sink|sinks|shower|showers|tub|tubs|bath|sauna|mirror|mirrors|niche|column|columns|arch|arches|balcony|trim|grout|caulk|floor|floors|carport|steeple|cupola|fountain|trellis|arbor|mailbox|mailboxes|bell|bells'
const records =
  'account|accounts|link|links|button|feature|option|profile|login|password|page|website|portal|app|notification|notifications|reminder|reminders|code|codes|pin|number|numbers|address|date|dates|permit|permits|ticket|receipt|entry|row|column|cell|file|files|folder|folders|video|phone|line|lines|feed|remote'
const machines =
  'printer|scanner|monitor|stereo|blaster|router|board|boards|battery|batteries|charger|signal|vehicle|vehicles|car|cars|sedan|truck|trucks|van|vans|bus|train|tractor|mower|mowers|boat|boats|bike|bikes|trailer|engine|motor|cylinder|axle|bearing|gear|gears|ladder|wrench|hammer|saw|drill|nail|nails|screw|screws|bolt|bolts|nut|nuts|washers|bracket|brackets|plug|plugs|adapter|adapters|connector|connectors|coupling|couplings|fitting|fittings|thread|threads|hose|socket|jack|clamp|rivet|rivets|flange|rope|cord|tape'
const furnishings =
  'chair|chairs|table|tables|sofa|couch|sectional|bench|benches|stool|stools|bed|beds|dresser|piano|clock|clocks|screen|screens|lamp|lamps|lantern|lanterns|light|lights|chandelier|rug|rugs|carpet|carpets|quilt|quilts|blanket|blankets|towel|towels|pillow|pillows|cushions|linen|lace|leather|wool|toile|tapestry|pattern|patterns|print|vase|vases|urn|statue|statues|statuary|painting|paintings|print|prints|frame|frames|basket|baskets|pot|pots|pottery|china cabinet|dish|dishes|plate|plates|bowl|bowls|knife|knives|cookware|furniture|appliances|fixtures|gloves|boots|hat|hats|jersey|jerseys|toys|box|boxes|bin|bins|bag|bags|crate|crates'
const materials =
  'tile|tiles|marble|limestone|sandstone|slate|granite|quartz|stone|stones|brick|bricks|plaster|stucco|concrete|asphalt|pavers|gravel|sand|soil|mulch|steel|iron|brass|bronze|copper|silver|gold|glass|porcelain|enamel|paint|primer|stain|stains|varnish|lacquer|siding|veneer|plywood|lumber|wood|hardwood|bamboo|cork|vinyl|mold|mould|rust|ink|chalk|draft|leak|leaks|drip|ice|snow|water'
const plants =
  'tree|trees|shrub|shrubs|hedge|hedges|bush|bushes|vine|vines|grass|grasses|lawn|moss|ivy|clover|fern|ferns|flower|flowers|wildflowers|lavender|lilac|lilacs|lily|lilies|laurel|maple|maples|elm|elms|pine|pines|oak|oaks|cedar|cedars|birch|ash|spruce|fir|hemlock|walnut|walnuts|cypress|boxwood|holly|juniper|magnolia|wisteria|hydrangea|iris|irises|rose|roses|violet|violets|poppies|palm|palms|olive|olives|cherry|cherries|pear|pears|plum|plums|persimmon|fig|figs|apple|apples|thistle|knotweed|wisteria|jasmine|honeysuckle|cactus|agave|sage|mint|basil|pepper|peppers|squash|corn|bean|beans|beetle|beetles|ladybugs|hornet|hornets|ants|bees|moth|moths|terrier|shepherd|setter|spaniel|bulldog|mastiff|collie|wolfhound|retriever|pointer|hound|sheepdog|sheepdogs|pony|horse|horses|goat|goats|rabbit|cat|cats|parrot|parakeet|finch|crow|crows|duck|ducks|geese|bear|bears|trout|bass|mare|stallion|cow|cows|cattle|sheep|pig|pigs|hen|hens|chicken|chickens|turkey|turkeys|owl|owls|hawk|hawks|heron|herons|parakeets|parrots|swan|swans|moths|beagle|terriers'
const trade =
  'market|store|shop|cart|stand|truck|pub|pubs|bar|bars|cafe|cafes|coffee|coffeehouse|deli|delis|diner|bistro|trattoria|taqueria|cantina|bakery|bakeries|butcher|grocer|grocery|groceries|supermarket|restaurant|restaurants|eatery|food|takeout|cuisine|barbecue|steakhouse|brewery|beer|wine|whiskey|tea|bread|pastry|pastries|cheese|sausage|sausages|pizza|noodles|dumplings|tacos|sandwich|sandwiches|soup|dinner|lunch|breakfast|film|films|movie|movies|novel|novels|book|books|cookbook|festival|festivals|parade|parades|fair|opera|choir|band|bands|concert|music|drums|museum|consulate|embassy|revival|colonial|gothic|tudor|provincial|league|leagues|tournament|varsity|bracket'
export const thingKinds = `${fixtures}|${machines}|${furnishings}|${materials}|${plants}`

/** Words that name groups of people, and what describes their life, as they describe things. */
const broken =
  'disabled|paralyzed|crippled|handicapped|lame|deaf|dumb|blind|crazy|insane|sick|mute|invalid|impotent|depressed|manic|mental|bipolar|pregnant'
const culture =
  'food truck|food trucks|bbq|ice cream|cooking class|class|classes|course|courses|film night|fest|street fair|heritage (5k|10k|parade|festival|fair|day|days|month|museum|center|garden|tour|trail)|dance|dances|dance class|folk dance|garden|gardens|cultural garden|made|built|style|country kitchen|modern|bathhouse|feather grass|fan palm|carpenter ants|doll|dolls|chess set|accent pieces|press|horn|exit|twist|fries|toast|roulette|embassy row|village stop|flag|consulate general|riviera|ocean|sea|gulf|canal|summer'

export const nations =
  'african|afro|american|arabian|armenian|asian|australian|austrian|balinese|belgian|bohemian|brazilian|british|canadian|caribbean|caucasian|celtic|chinese|colombian|cuban|cypriot|czech|danish|dutch|egyptian|english|ethiopian|filipino|finnish|french|georgian|german|greek|haitian|hawaiian|hungarian|icelandic|indian|indonesian|irish|italian|jamaican|japanese|kenyan|korean|latin|lebanese|mexican|mongolian|moroccan|nepali|norwegian|oriental|pakistani|persian|peruvian|polish|portuguese|puerto rican|roman|romanian|russian|scandinavian|scottish|siberian|sicilian|spanish|swedish|swiss|syrian|thai|tibetan|tunisian|turkish|ukrainian|venetian|vietnamese|welsh|navajo|cherokee|apache|hopi|aztec|native|tribal'
const faiths =
  'christian|catholic|baptist|lutheran|methodist|orthodox|jewish|islamic|muslim|moorish|hindu|buddhist|sikh|kosher|halal|mormon|amish|quaker|shaker|mennonite|puritan|pilgrim|angel|devil|bishop|cardinal|monk|nun|priest|saint|rabbi|pope'
const colors = 'white|black|brown|yellow|red|colored|dark|pale|tan|gray'
const family =
  'single|married|divorced|widow|widows|widowed|orphan|bachelor|maiden|virgin|baby|infant|toddler|twin|bride|bridal|mother|father|grandmother|grandfather|parent|sister|brother|daughter|son|male|female|gay|queer|straight|trans|manly|teen'
const ages =
  'old|older|young|younger|elderly|senior|junior|adult|mature|elder|aged|aging|ancient|geriatric|decrepit|retired'
const others = 'gang|ghetto|slave|convict|gypsy|veteran|army|navy|military|marine'
const described = `${broken}|${colors}|${ages}|${others}`
const between = `made|built|style|inspired|${colors}|old|new|kitchen|garage|garage door|front|back|side|main|smoke|fire|security|passenger|freight|pool|hvac|water|${fixtures}|sign|hand painted|stone|wood`

/** A word for a group beside a thing is about the thing. None of the things is a person, or a place where people live. */
export const things: readonly string[] = [
  `(${described}|${nations}|${faiths}) [${between}] (${thingKinds})`,
  `(${broken}|${ages}|${others}) [gate|door|alarm|entry|old|new|phone] (${records})`,
  `(${nations}|${ages}) [style|inspired|made|built|heritage|folk|ale|royal|live|craft|street|${colors}] (${trade}|${culture})`,
  `(${faiths}) (deli|bakery|butcher|market|cart|stand|museum|festival|fair|parade|choir|concert|band|music|book|books|cookbook|revival)`,
  `(queer|odd|sick|insane|manly|crazy) (noise|noises|smell|smells|sound|sounds)`,
  `(${fixtures}|${machines}) (is|are|was|were|has been|have been|got|gets|stays|will be|had been|seems|looks|sounds) [still|now|temporarily|currently|being|remotely|again|already|just|a bit|totally] (disabled|paralyzed|crippled|blind|mute|dead|deaf|lame|sick|old|elderly|retired|crazy|insane|depressed)`,
  `(left|leave|found) the [front|back|side|garage] (door|gate|window|lockbox) unlocked [after|before|for|when|so|and|again|at|on]`,
  `(bathroom|bath|bedroom|kitchen|office|den|study|nursery|porch|sunroom|patio|window|door|hall|guest room|living room|dining room) (blind|blinds)`,
  `[army|navy|air force] (play|plays|played|beat|beats|vs|versus|against|at) (army|navy|air force)`,
  `(good|bad|nice|rough|wrong|right|far|better|best|worst|smooth) (side|end|part|edge|face|section|corner|element|seal|spot) (of|in|on|by) [the|a|an|each|your|that] [old|new|${fixtures}] (${thingKinds})`,
  `(the|whole) gang (is|was|will be) [all] (here|meeting|coming)`,
  `(mass|masses|services|vespers|prayers|church|temple) (at|starts|starts at|begins|begins at|ends|ends at|lets out|lets out at|is at|runs till|runs until) (noon|midnight|[0-9]+|seven|eight|nine|ten|eleven|twelve|one|two|three|four|five|six)`,
  `race for (the|a|that) [last|next|first|vendor|corner|only] (spot|slot|seat|title|cup|job|permit|trophy|medal)`,
]

/** The same for words of families, unless the thing is denied: “no toddler beds” says that toddlers are not wanted. */
export const belongings: readonly string[] = [
  `(${family}) [${between}] (${thingKinds})`,
  `(${family}) [gate|door|alarm|entry|old|new|phone] (${records})`,
  `(child|childs|kid|kids|childrens|baby|toddler|infant) (lock|locks|gate|gates|latch|latches|safety|proof|proofing|proofed|resistant|guard|guards|cover|covers|monitor|monitors|leather|gloves|grand|grands|grand piano|breath|tears|carrots|corn|spinach|blue|pink|powder|oil|back ribs|seat|seats|swing|bike lane|bike lanes|bike path|pool depth|menu|menus|museum|hospital|theater|theatre|library|clinic|dentist|section|day at the|5k|run|race|triathlon|art show|soccer league|fun run|fun zone)`,
  `(baby|kid) (grand|grands)`,
  `childproof (latch|latches|lock|locks|cap|caps|gate|gates|cover|covers|outlet|outlets|cabinet|cabinets)`,
  `(parent|daughter|sister|mother|child|orphan|father|grandfather|grandmother|bachelor|widow|widows|twin|bride|bridal|maiden|infant) (company|companies|board|boards|parcel|parcels|lot|lots|property|lines|ship|ships|valve|valves|city|cities|document|account|record|folder|brand|store|clock|clocks|oak|oaks|lode|of pearl|nature|wort|chest|chests|button|peak|maker|beds|bed|bolt|plug|outlets|wreath|creeper|voyage|name|lane|will|policy|sink|well|wells)`,
  `(family) (style|sized|dollar|farm|dentist|tree|trees|owned|run|recipe|heirloom|car|van|sedan|business|restaurant|feud|fun day|skate night|movie night)`,
]
