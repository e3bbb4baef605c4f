/** Where a home is. A word about the quality of a school in between prevents a match, and a rating that follows prevents the skip. */
export const nearby: readonly string[] = [
  `(private|public|charter) [and|or] [private|public|charter] (school|schools) ~3 (nearby|close|near|in the area|around|within)`,
  `(crime|incident|school|safety) (map|maps|data|statistics|stats|reports|report|log|logs|information|numbers|dashboard|report cards|profiles)`,
  `(near|by|across from|next to|close to|beside|blocks from|blocks to|minutes from|minutes to|steps from|walk to|walking distance to|distance to|distance of|distance from|facing|opposite|behind|cerca de|junto a|frente a) [a|an|the|to|of|several|local|area|la|el|una|un|las|los] [public|local|elementary|middle|high|catholic|parks and|shops and|shopping and|neighborhood] (school|schools|elementary|church|churches|mosque|temple|synagogue|chapel|parish|park|college|university|escuela|escuelas|iglesia)`,
]

/** How accessible a home is. Not harmless if an owner forbids it. */
export const accessible: readonly string[] = [
  `(wheelchair|handicap|disability|mobility|accessible) (ramp|ramps|accessible|accessibility|access|lift|lifts|parking|entrance|entry|bathroom|friendly)`,
  `(rampa|acceso|accesible|entrada|elevador|estacionamiento|bano|ducha|puertas) ~2 (para|en|a|con) (silla|sillas) de ruedas`,
]

/** Features of homes and buildings, and who sells them. */
export const homes: readonly string[] = [
  `(family|living|great|dining|rec|recreation|play|kids|childrens|mud|sun|safe|guest|media) (room|rooms|bath|bathroom|bathrooms|closet|closets|bedroom|bedrooms|suite|playroom|playground|pool|den|loft)`,
  `(single|two|2|three|3|four|4|multi|multiple) (family|families) [home|homes|house|houses|building|buildings|residence|property|properties|unit]`,
  `(singlefamily|multifamily|playroom|playground|master bedroom|mother in law|in law)`,
  `(no|without|few|not many|any) [entry] (step|steps|stairs|elevator|threshold)`,
  `(step|stair) free`,
  `(safety|security|secure) (inspection|feature|features|rail|railing|glass|gate|system|systems|deposit|deposits|camera|cameras|door|doors|entry|entrance|garage|parking|building entry|detectors|latch|code|codes|storage|bike)`,
  `(secure|gated) (parking|garage|entry|building|package|storage)`,
  `(home|house|place|places) of worship`,
  `(catholic|christian|baptist|lutheran|methodist|orthodox|jewish|muslim|mormon|korean|hindu|presbyterian|episcopal|evangelical) (church|churches|school|cemetery|hospital|temple|synagogue|mosque|chapel|charities|university|college|center)`,
  `(school|schools) (bus|calendar|year|supplies|boundary|boundaries|assignment|information|reports|locator|district website|district map)`,
  `(indian|spanish|french|german|chinese|irish|polish|american|mexican|asian|white|black|brown) (restaurant|restaurants|food|grocery|market|bakery|style|colonial|tile|cabinets|oak|standard|kitchen|trim|walls|brick|creek|river|hill|lake|road|street|avenue|express|dream)`,
  `(speaking|speaks) (agent|agents|colleague|staff|person|assistant|team)`,
  `(veterans|memorial|mothers|fathers|womens|presidents) (day|park|highway|hall|hospital|road|drive|memorial)`,
  `(young|younger|old|older|mature|aging) [brick|ranch|colonial|craftsman|and|style|shade|fruit] (trees|tree|orchard|plants|home|homes|house|houses|building|buildings|roof|wiring|windows|appliances|kitchen|furnace|units|unit|listing|photos|listings|barn|oak|oaks|maple|maples|vines|landscaping|garden|carpet|plumbing|construction|town)`,
  `(seller|sellers|owner|owners|landlord|agent|builder) (is|are|was|were) [a|an|both] [now|also] (in the (military|army|navy|service)|retired|retiring|veteran|divorced|divorcing|downsizing|relocating)`,
  `(space|room|rooms|yard|backyard|bedroom|bedrooms|playroom|playset|spot|swing set|area|nook) for [you and] [the|your|all|three|two|four|both|all the] ~1 (kids|children|boys|girls|son|daughter|baby|family)`,
  `(you and your|you your) (kids|children|family|wife and kids|husband and kids)`,
  `(hope|congrats|congratulations|congratulate|enjoy|best wishes|get well) [on|to|for] (you and your|the|your|the new|your new) ~1 (son|daughter|kids|children|baby|family|newborn|twins|little one|pregnancy|wedding|marriage|engagement|retirement|service)`,
  `(thanks|thank you|glad|great|good|noted|know|see|understand|heard|hear|told|said|mentioned|wrote) [for] ~5 (youre|you are|youve been|you have been|you got) [already] (preapproved|prequalified|pre approved|pre qualified)`,
  `(youre|you are|youve been|you have been) [already] (preapproved|prequalified|pre approved|pre qualified) ~8 ((as|like) you (said|mentioned|noted|wrote)|you (said|mentioned|told))`,
  `(por|segun|bajo|conforme a|de acuerdo con) [la|las] (ley|leyes) de vivienda [justa]`,
  `(patio|espacio|jardin|cuarto|recamara|lugar|juegos|area de juegos) para [los|sus|tus|que jueguen los|dos|tres] (ninos|hijos|bebe|ninas)`,
  `(gabinetes|encimeras|paredes|pisos|azulejos|muebles|piso|cocina|puertas|techo|puerta|cerca|ladrillo) [es|son|de color] ~2 (blancos|blancas|blanco|blanca|negros|negras|negro|negra)`,
  `(roll in|walk in|curbless) (shower|showers|closet|tub)`,
  `(fair|equal) housing (law|laws|act|rules|rule|regulations|guidelines|standards) [also] [means|mean|says|say|requires|require|prohibits|prohibit|doesnt|dont|do not|does not|keep|keeps|apply|applies|protects|protect]`,
  `(retired|retiring|older|young|younger|elderly|married) (couple|family|owners|lady|gentleman|man|woman|teacher|owner) (selling|who is selling|who are selling|who own|who owns|moving|that owns|who lived|who built|who are moving)`,
  `(ladies|mens|womens|gentlemens) (room|rooms|restroom|restrooms|locker|lounge|club)`,
  `(si|cuando|como) (quiere|quieren|gusta|gustan|desea|desean|prefiere|prefieren)`,
  `(tenants|tenant|renters|renter|applicants|someone|somebody|family|couple|person) (to|who|with|that|can|will|would|could) [can|will|would|could] ~1 (credit|references|rental history|pay on time|pays on time|long term|a year|one year|longer lease|water the|steady income|good credit|without pets|sign|close|move in|take over|stay|walk you|show you|let you)`,
  `wedding (venue|hall|chapel|photos|season|party)`,
]
