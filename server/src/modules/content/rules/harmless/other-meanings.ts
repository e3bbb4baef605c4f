import { fixtures, nations } from './things.ts'

const places =
  'corner|corners|curve|curves|hill|spot|spots|driveway|alley|intersection|turn|turns|entrance|crest|bend|merge|exit|side|cabinet|nail|nailing|hem|stitch|tasting|test|study|copy|carbon copy|arch|wall|shelf|arcade|trust|bid|bids|envelope|offer process|date|rivet|rivets|flange|plug'
const races =
  'charity|bike|bicycle|cycling|boat|rowing|sailing|yacht|regatta|horse|dog|sled|drag|stock car|auto|car|kart|go kart|motorcycle|motocross|truck|foot|road|street|trail|relay|sack|potato sack|egg|three legged|5k|10k|5 k|10 k|half marathon|marathon|triathlon|fun|turkey trot|swim|ski|canoe|kayak|raft|duck|rubber duck|soapbox|obstacle|charity bike|canal|wheelchair|rat|arms|space|price|bidding|mayoral|mayors|governors|gubernatorial|senate|school board|council|election|presidential|close|tight|two way|mill|tail|head|bearing|inner|outer|ball|worn|annual|city|county|big|upcoming|qualifying|championship|hot|pinewood|memorial day|labor day|thanksgiving|saturday|sunday|saturdays|sundays|friday|weekend|morning|night'
const ofRaces =
  'conduit|way|ways|track|tracks|course|courses|route|routes|day|days|weekend|morning|night|car|cars|bike|bikes|boat|boats|horse|horses|track road|bib|bibs|number pickup|packet|packets|start|starts|started|begins|began|finish|finishes|finished|ends|ended|line|lap|laps|pace|shirt|fans|organizer|organizers|director|volunteers|traffic|closure|closures|street|avenue|road|lane|drive|court|brook|point|results|passes|passed|runs|ran|goes|went|turns|blocks|closes|comes|came|crosses|crossed|loops|follows|heats|against|to (get|finish|close|the (finish|top|bottom|bell|deadline|line|wire)|replace|repair|complete|sell|buy|beat|be|find|fill|submit|file|list)|for (mayor|governor|senate|congress|sheriff|council|school board|county|city|office|president|the (house|senate|seat|listing))|on (saturday|sunday|friday|monday|tuesday|wednesday|thursday|the (fourth|lake|river|bay|canal|track))|in (the (bearing|roller|gate|hub|wheel))'

/**
 * Words that name groups of people, in their other meanings: things, places, and events. The noun beside the word decides, so each
 * phrase holds one; none is a noun for people or for where they live.
 */
export const otherMeanings: readonly string[] = [
  // Things that do not work
  `(disable|disables|disabling|disabled) [the|that|this|your|my|our|an|a|any] [old|new|kitchen|garage|front|back|side|main|smoke|fire|security|motion|child|pop up|location|automatic] (${fixtures}|feature|option|app|account)`,
  `cripple (wall|walls|stud|studs|framing|rafter|rafters)`,
  // Blinds
  `(roller|roman|venetian|vertical|mini|wooden|wood|faux wood|cellular|cordless|window|sun|pleated|duck|hunting|deer|goose|torn|broken|bent|new|white|kitchen) (blind|blinds)`,
  `(blind|blinds) (installer|installers|installation|company|cord|cords|slats|slat|rod|wand|repair|store|shop|cleaning|manufacturer|fabric|kit|bracket|brackets|headrail|pull|is|are|was|were|does|do|wont|has|have|sticks|stick|needs|need) ~2 (up|down|open|close|closed|raise|lower|stuck|broken|torn|bent|crooked|dusty|missing|replaced|repaired|installed|included|ordered|custom|motorized|new|cleaned|cord|slat|slats|bracket|brackets|measured)`,
  `(blind|blinds) (installer|installers|installation|cord|cords|slats|slat|rod|wand|fabric|bracket|brackets|headrail)`,
  `(blind|blinds) (in|on|over|for|at|from|behind|above) [the|each|every|one|both|all|that] [of] [the] [front|back|guest|main|primary|second|large|small|side|bay|middle|upper|lower] (kitchen|bedroom|bedrooms|bathroom|bath|office|den|study|window|windows|door|doors|living room|dining room|family room|sunroom|nursery|room|skylight|porch|patio|slider|garage|hall|hallway|landing|pond|field|marsh|woods|lake)`,
  `(pull|pulled|raise|raised|lower|lowered|close|closed|open|opened|shut|hang|hung|install|installed|replace|replaced|clean|cleaned|measure|measured|adjust|adjusted) [the|a|all|every|each|that|your|both] [kitchen|bedroom|window|new|old|broken|torn] (blind|blinds)`,
  `blind (${places})`,
  `(deaf|dead) (spot|spots|ear|ears)`,
  // Races
  `(${races}) (race|races)`,
  `(race|races) (${ofRaces})`,
  `(a|the|this|that|our|my|your|her|his) (race|races) ~1 (starts|start|started|begins|began|ends|ended|finishes|finished|passes|passed|runs|ran|goes|turns|blocks|blocked|closes|closed|comes|crosses|is (on|at|this|next|over|run|held|saturday|sunday|tomorrow|today)|was (on|at|last|run|held|called|postponed|cancelled)|has (started|ended|begun|moved)|tomorrow|today|tonight|saturday|sunday|next|last|this (weekend|morning|saturday|sunday|year|spring|fall|summer))`,
  `(a|the) race (at|on|in|along|around|through|near|past|down|across|this|next|that|and|so|but|for the (last|next|first|only|final|remaining|permit|slot|spot))`,
  `race ~1 in the ~3 (bearing|bearings|roller|rollers|hub|wheel|caster|turbine)`,
  `(run|runs|ran|running|ride|rides|row|rows|rowing|watch|watching|win|won|enter|entered|finish|finished|host|hosts|sponsor|sponsors|sponsored|organize|time|timed|start|lost|join|train for|training for|sign up for|signed up for|register for|registered for|during|after|before|because of|due to) [a|an|the|this|that|in the|in a|his|her|my|our] [big|annual|charity|local|school] (race|races)`,
  `(race|races) (against|with) (time|the clock|the weather|each other)`,
  `(arms|rat|space) race`,
  // Children
  `(child|childs|kid|kids|childrens|baby|toddler|infant) (lock|locks|gate|gates|latch|latches|safety|proof|proofing|proofed|resistant|guard|guards|cover|covers|monitor|monitors|leather|gloves|grand|grands|grand piano|breath|tears|carrots|corn|spinach|blue|pink|powder|oil|back ribs|seat|seats|swing|bike lane|bike lanes|bike path|pool depth|menu|menus|museum|hospital|theater|theatre|library|clinic|dentist|section|day at the|5k|run|race|triathlon|art show|soccer league|fun run|fun zone)`,
  `(baby|kid) (grand|grands)`,
  `childproof (latch|latches|lock|locks|cap|caps|gate|gates|cover|covers|outlet|outlets|cabinet|cabinets)`,
  `(pregnant|awkward) (pause|pauses)`,
  `(early|night) (bird|owl)`,
  `(parent|daughter|sister|mother|child|orphan|father|grandfather|grandmother|bachelor|widow|widows|twin|bride|bridal|maiden|infant) (company|companies|board|boards|parcel|parcels|lot|lots|property|lines|ship|ships|valve|valves|city|cities|document|account|record|folder|brand|store|clock|clocks|oak|oaks|lode|of pearl|nature|wort|chest|chests|button|peak|maker|beds|bed|bolt|plug|outlets|wreath|creeper|voyage|name|lane|will|policy|sink|well|wells)`,
  `(family) (style|sized|dollar|farm|dentist|tree|trees|owned|run|recipe|heirloom|car|van|sedan|business|restaurant|feud|fun day|skate night|movie night)`,
  // Men, women, and age
  `(male|female|mens|womens|ladies|boys|girls|his and hers|his and her|gentlemens) (adapter|adapters|connector|connectors|coupling|couplings|fitting|fittings|thread|threads|threaded|plug|plugs|end|ends|pipe|hose|socket|jack|terminal|flowers|holly|ginkgo|league|leagues|tournament|tournaments|final|finals|team|teams|tee|tees|soccer|basketball|softball|golf|volleyball|doubles|singles|bathroom|closet|closets|vanity|vanities|sinks|wear|wearhouse|clothing|shoes|store|shop|salon|barber|hospital|health clinic|club lunch|varsity|race|marathon|relay)`,
  `(singles|doubles|mixed doubles) (match|matches|court|courts|final|finals|tournament|league|tennis|game|play)`,
  `(single|master|junior|senior|elder|adult|mature|older|elderly|young|younger|middle aged|old) (tasking|speed|pane|hung|ply|car|vanity|sink|wide|screen|key|copy|switch|valve|shutoff|plan|closet|breaker|breakers|inspector|inspectors|bond|bonds|lien|liens|loan officer|debt|note|class|prom|photos|night|game|trees|hedges|plantings|landscaping|lawn|garden|vines|shrubs|oak|maple|elm|growth|wine|cheese|of the two|beverage|fridge|fountain|swim|lap|league)`,
  `(widows|widow) walk`,
  `old couple of (chairs|lamps|tables|boxes|doors|benches|bikes|trees|years|photos)`,
  `(young|old|older|nice|same) (man|woman|lady|guy|fellow|gentleman) (from|with|at) [the|our|your] [survey|moving|title|roofing|cleaning|alarm|cable|inspection|lawn|pool|utility|gas|power|water|pest control|escrow|security|internet|solar|paint] (company|office|crew|team|department|city|county|bank|store|shop)`,
  `old age of the (${fixtures})`,
  // Faiths
  `(cathedral|mission|monastery|abbey|chapel|church|pew|temple|parish|minster|cloister|vestry|convent|mosque|pagoda|shrine) (ceiling|ceilings|style|window|windows|bell|bells|bench|benches|door|doors|glass|candles|organ|street|avenue|road|lane|square|hill|drive|court|parking lot|steeple|tower|ruins|conversion|gothic|barn|key|keys|rock|pond|creek)`,
  `(bishop|bishops|cardinal|cardinals|monk|monks|friar|friars|nun|nuns|priest|priests|deacon|rabbi|pope|angel|angels|saint|saints|padre|padres|pilgrim|quaker|amish|shaker|mennonite|baptist|orthodox) (pine|pines|cap|caps|fruit|bird|birds|flower|game|games|parade|win|won|ticket|tickets|fans|jersey|score|logo|dish|hood|sleeve|weed|vine|trumpet|hair pasta|food cake|lake|oats|parrot|ladder|furniture|style|cabinet|cabinets|kitchen|chair|chairs|peg|pegs|quilt|quilts|built|made|crafted|market|farm stand|baked goods|street|avenue|court|lane|road|drive|beads)`,
  `(holy|heavenly|god awful|divine|hellish|devilish|angelic|unholy) (mess|cow|smokes|moly|guacamole|smell|view|light|water stain|terror)`,
  `(christmas|easter|hanukkah|passover|ramadan|eid|diwali|good friday|ash wednesday|lent|yom kippur|rosh hashanah|sukkot|lunar new year|thanksgiving|kwanzaa|orthodox easter|palm sunday) (eve|day|week|weekend|hours|lights|light|tree|trees|lily|lilies|cactus|fern|egg hunt|parade|market|morning|monday|brunch|decorations|ornaments|storage|closing|break|holiday|sale|schedule|traffic|office hours|wreath|wreaths|fish fry|bake sale|concert)`,
  // Nations and colors
  `(${nations}) (made|built|inspired|designed|engineered|style|stone|tiled|manufactured)`,
  `(fighting|flying|wild|buckwheat|kansas city|washington|cleveland|dallas|golden state) (irish|illini|dutchman|celts|celtics|chiefs|browns|cowboys|vikings|saints)`,
  `(celtics|canadiens|indians|browns|whites|reds|blacks|redskins|cossacks|trojans|spartans|highlanders|vikings|mavericks|yankees|rebels|gaels) (game|games|match|won|win|lost|lose|play|plays|fans|stadium|arena|tickets|season|parade|practice|jersey|home opener)`,
  `(whites|blacks|browns|colors|darks|lights) (in|of|on) (the|these|those|this|our) (photo|photos|picture|pictures|image|images|rendering|renderings|video|wash|laundry|paint|sample|samples|screen|print|brochure|listing|tile|marble|kitchen|room)`,
  `(whites|egg whites|reds|browns|blacks) of the [old|new] (caulk|grout|egg|eggs|trim|paint|tile|wall|walls|sky|sunset|brick|wood|stain)`,
  `(white|black|brown|yellow|red|colored|dark|pale|tan|gray) (noise|mold|mould|stain|stains|pine|oak|birch|ash|cedar|walnut|maple|spruce|primer|paint|enamel|porcelain|marble|granite|quartz|tile|tiles|concrete|pencil|pencils|glass|diamond|diamonds|ice|top|friday|box|boxes|sheep|bear|bears|bass|trout|rat|rats|ants|flies|widow spider|widow spiders|locust|cherry|walnuts|hole|belt|out|outs|light|lights|tie|board|water|hall|horse|hen|house|sands|rock|river|creek|lake|mountain|mountains|elephant sale|goods|hat|ink|chair|chairs|bench|table|stool|trim|tree|trees|rose|roses|lily|lilies)`,
  `(whiter|blacker|browner) (than|teeth|grout|shade|caulk|paint|trim|grass|sand|toast|roux)`,
  `(native) (soil|plant|plants|planting|plantings|grass|grasses|garden|gardens|landscaping|tree|trees|shrubs|wildflowers|species|stone|limestone|meadow|prairie|oak|oaks|file|format|app|resolution|trout|bees|pollinators|hedges|nursery)`,
  `(foreign) (object|objects|matter|material|exchange|film|films|affairs|key|body|car|cars|currency|wire|transfer|policy)`,
  `(minority) (whip|leader|owner of the team|stake|share|report|interest|shareholder)`,
  `(mixed|race|blood|color|tribal|ethnic) (media|grass|use|oranges|orange|moon|wheel|print|rug|rugs|scheme|schemes|match|matching|sample|samples|chart|palette|swatch|swatches)`,
  `(hispanic|latino|latina|asian|black|african american|native american|jewish|irish|italian|polish|greek|womens|pride|german) (heritage|history|pride|film|music|food|arts) (5k|10k|run|parade|festival|fest|fair|day|days|week|weekend|month|museum|center|tour|trail|exhibit)`,
  `(immigrant|pilgrim|convict|slave) (ship|ships|song|museum|trail|cabin)`,
  `(ethnic) (food aisle|grocery|groceries|market|restaurants)`,
  `(christian|first|last|middle|maiden|given|family) name on [the|your|this|that] (invoice|invoices|deed|title|form|forms|contract|application|check|receipt|permit|account|file|id|envelope|mailbox|plate|sign|order)`,
  `gay nineties`,
  // Disability
  `(depression|depressions|fracture|scar|scars|cavity|blister|blisters|bruise|bruises|seizure|stroke|paralysis|anemic|fatigue|stress|vertigo|spasm) (in|on|of|across|near|under) [the|a|an|this|that] ~1 (${fixtures}|lawn|yard|soil|concrete|asphalt|pavement|slab|foundation|patio|sidewalk|street|road|land|ground|paint|trim|siding|wood|metal|membrane|bearing|motor|engine|rotor|paddle|piston|cylinder|trunk|bark)`,
  `(deaf|sign language|asl|spanish|language|court) (interpreter|interpreters|interpreting|interpretation|translator|translators) [service|services] ~5 (booked|confirmed|scheduled|coming|arrives|arranged|will be there|at (nine|ten|eleven|noon|one|two|three|four|five))`,
  `(handicap|handicapped|accessible|ada) (stall|stalls|sign|signs|signage|space|spaces|spot|spots|permit|parking|placard|button|door opener|railing|rails|bars|system|index|on the golf|of [about] (two|three|four|five|six|seven|eight|nine|ten|[0-9]+))`,
  `(golf|golfing|tournament|league|bowling) (handicap|handicaps)`,
  `(disability|life|long term care|workers comp|unemployment) insurance [agent|agents|broker|policy|company|carrier|office|quote]`,
  `(walker|wheelchair) (track|belt|lift repair|race|basketball|tennis|rugby)`,
  `(service|therapy|guide|police|search|show|sled|guard|hot|prairie|corn|chili) (dog|dogs) (door|doors|stand|stands|show|town|truck|cart|park)`,
  `(insane|crazy|ridiculous|nuts|mental|manic) (amount|amounts|number|deal|prices|week|day|schedule|storm|weather|view|views|storage|traffic|hours|market|month|monday)`,
  // Crime, credit, and law
  `(shooting|archery|gun|firing|driving|rifle|pistol|skeet) (range|ranges|club|clubs|star|stars|schedule)`,
  `(bulletproof|bullet proof|foolproof|waterproof|fireproof|soundproof|rustproof|weatherproof|rot proof|idiot proof) (glass|door|doors|vest|window|windows|safe|box|siding|paint|coating|membrane|insulation|wall|walls|case|cabinet)`,
  `[prayer|tea|wine|art|book|stamp|record|coin|car|plant|rock|doll|trash|garbage|recycling|leaf|brush|bulk|waste|mail|package|water|rain|dust|debt free|toll] [plant] (collection|collections) (in|on|day|days|is|are|bin|bins|point|schedule|calendar|barrel|system|box|service|times|moves|starts|ends|will not convey|does not convey|doesnt convey)`,
  `(seniority|priority|order|release|releases|copy|search|date|amount|waiver|waivers) of the ~2 (lien|liens|mortgage|deed)`,
  `(drop dead|target|expected|new|final|current|contract|closing) (date|dates|deadline) (for|of) [the|your] (loan approval|loan commitment|appraisal|inspection|closing|financing|mortgage contingency)`,
  `(a|the) wealth of (storage|light|space|closets|detail|details|options|information|windows|cabinets|shelving|character|amenities|parking|trails|shops)`,
  `[the|an|our|your] (mass|public|rapid) transit`,
  `[the|an|one|each] accent (wall|walls|light|lights|lighting|pillow|pillows|rug|rugs|color|colors|table|tables|chair|chairs|piece|pieces|lamp|lamps|tile|tiles|trim|strip|band|planting|plantings|mark|marks)`,
  `[broken|cracked|split|new|old|oak|pine] (tongue|tongues) (and groove|in groove|floorboard|floorboards|board|boards|of the (board|boot|shoe|latch|trailer))`,
  `(shady|sunny|north|south|east|west|quiet|far|near|back|street|alley|lake|garden|windward|leeward) side [of] [the|a|your|our] [house|yard|street|building|lot|garden|garage|deck|fence|bed|porch|road|pool]`,
  `prayer (plant|plants|rug rack|flag|flags|wheel)`,
  `(shady|sunny|dark|damp|dim) (corner|corners|bed|beds|spot|spots|patch|nook|porch|patio|lot|lane|street|yard)`,
  `transitional (style|design|kitchen|decor|trim|fixtures|home|period)`,
  `(chronic|acute|terminal|congenital|recurring) (drip|leak|leaks|clog|clogs|backup|problem with the (drain|gate|lock|pump)|block|blocks|box|board|strip|velocity)`,
  `married to [the|a|that|this|any] [exact|three|two|four|five|[0-9]+|3pm|2pm|4pm] (slot|time|date|day|color|layout|idea|plan|schedule|name|location|finish)`,
  `(floor|tile|paint|roof|cable|alarm|pool|lawn|hvac|ac|gutter|window|cabinet|countertop|water heater|furnace|septic|well|fence|garage door|internet|delivery|movers) (guy|guys|lady|man|men|gal)`,
  `(black|brown) eyed (susan|susans|peas)`,
  `(old man|old mans|old lady|old ladys|dusty miller|wandering jew|mother in laws|bleeding) (cactus|beard|tongue|heart|hearts|plant|plants|palm|banksia|fern)`,
  `(lady|maidenhair|sword|christmas|cinnamon|ostrich) (fern|ferns|slipper|slippers|finger|fingers|banks|bug|bugs)`,
  `(bishop|saint|st|cardinal|archbishop|monsignor|trinity|notre dame|holy cross|holy name|sacred heart|our lady) [of] (kelly|kenny|dwyer|verot|moore|hendricken|mcnamara|gorman|ireton|luers|chatard|mccort|miege|obrien|oconnell|grove|lake|springs|hall|street|avenue|road|field|stadium|high|prep|academy|college) ~2 (plays|play|game|games|gym|field|wins|won|hosts|at|has|is)`,
  `(sue|bill|will|rob|mark|penny|faith|grace|christian|jewel|rich|cash|chance|drew|pat|grant|patience|joy|hope|angel|mercy|victor|frank|earnest|ernest|dean|bishop|deacon|pope|king|prince|duke|earl|jesus|mohammed|india|asia|china|ireland|israel|jordan|georgia|cuba|chad|brazil) (will (meet|call|text|email|be (there|here|at|in|out)|let you in|open|stop|drop|bring|send|join|show|have the)|asked (if|whether|for|about|me)|called|texted|emailed|said (hi|hello|thanks|the)|from (the|our) (office|title|escrow|lender)|left the|has the (keys|key|code|file)|and i will (meet|be))`,
  `place around the (corner|block|bend)`,
  `(army|navy|marine|marines|air force|coast guard|citadel|military) [blue|accent|green|issue] (plays|game|games|blue|bean|beans|wall|walls|accent|cabinet|cabinets|tile|door|doors|shutter|shutters|paint|trim|island|vanity|curtains|rug|surplus|store|layer|layers|varnish|forecast|band concert|ant|ants|time|ball)`,
  `(citizen|citizens) (science|bank|bike|watch|alert|advisory|academy|report|map)`,
  `(singles|mens|womens|seniors|juniors|mixed) (bracket|brackets|draw|division|flight|heat|heats|night league|round|semifinal|semifinals)`,
  `bipolar (relay|relays|junction|transistor|power supply|outlet|plug|adapter|stepper|motor)`,
  `(green|red|yellow|blue) card on the [fire|water|gas|front|back] ~1 (${fixtures}|extinguisher|tank|cylinder|hydrant|cart|bin)`,
  `(tubo|motor|extractor|timbre|altavoz|parlante|cuarto|interfon|detector) (es|esta|quedo|anda) (sordo|mudo|ciego|cojo)`,
  `(mesa|puerta|isla|pared|cocina|estufa|tarja|cubierta|reja|encimera) (negra|blanca|morena|negras|blancas|cafe) (es|son|y|de|con|en)`,
  `(hearing|hearings) in small claims`,
  `(is|was) a race for [the] [little|small|wooden|old|vintage] [wooden] (cars|boats|dogs|horses|bikes|ducks)`,
  `race (condition|conditions) in`,
  `(priest|monks|bishops) (hole|holes|tunnel|nook)`,
  `(gay|dyke|queer|straight) (head|street|road|lane|drive|light|island|pond|hill|feather)`,
  `(cane|wicker|rattan|ladder back) (chair|chairs|bottom|back|seat|seats|furniture|webbing|bench|rocker|blinds|pole|poles|fields|sugar)`,
  `blind (brook|river|pass|bay|creek|canyon|slough|lake|road|lane)`,
  `(bath|bathroom|kitchen|suite|vanity|garage|bedroom) has a double`,
  // What fits where
  `(fits|fit) [right|well|nicely|perfectly|easily|snugly] (in|into|under|behind|beside|between|on) [the|a|an|your|that|this|each] ~1 (window|garage|closet|corner|nook|alcove|island|pantry|driveway|shed|hall|hallway|landing|bedroom|living room|dining room|kitchen|den|basement|cabinet|cabinets|trunk|elevator|lockbox|folder|schedule|calendar|slot|opening|space|box|envelope)`,
  // Promises
  `[builders|makers|manufacturers|factory|roofers|installers|lifetime|ten year|five year|one year|limited|money back] (guarantee|guarantees|guaranty|warranty) (on|for|from|of|by|card|cards|runs|covers|expires|expired|certificate|papers|paperwork|period|claim|is) ~2 (${fixtures}|foundation|appliances|paint|windows|siding|maker|makers|manufacturer|builder|factory|roofer|installer|contractor|parts|labor)`,
  `(cant|can not|cannot|could not|couldnt|wont|dont|do not|no one can|nobody can) guarantee (the|a|an|any|that|it|its|when|you)`,
]
