import { near } from './near.ts'

const house =
  'house|home|homes|houses|property|properties|place|condo|unit|apartment|listing|one|it|lot|building|townhouse'
const worthIt =
  'fair|high|low|cheap|expensive|reasonable|great|good|amazing|competitive|right|steep|inflated|greedy|too much|ridiculous|attractive|aggressive|well|excellent|fantastic|generous|on point|spot on|unbeatable|better|accurate|justified|unrealistic|optimistic|crazy|outrageous|realistic|correctly|perfectly|sharply'
const rise =
  'go up|goes up|going up|rise|rises|rising|climb|climbing|increase|increasing|appreciate|appreciating|double|soar|soaring|skyrocket|jump|grow|growing|go higher|shoot up|take off|go down|going down|drop|dropping|fall|falling|crash|crashing|decline|declining|come down|decrease|tank|collapse|cool|cooling|slow down|heat up|peak|bottom out|recover|rebound|turn|shift|soften|hold|stay strong|keep up'

/** Prices: what a home is worth, whether that is much, where prices go, and what one should offer. */
export const prices: readonly string[] = [
  `(worth|overpriced|underpriced|undervalued|overvalued|priced (above|below|under|over|well|right|fairly|too|to|high|low|aggressively|competitively|attractively|at)|top dollar|instant equity|build equity|sweat equity|lowball|bargain|a steal|such a steal|no brainer|good deal|great deal|quick profit|nice profit|tidy profit|make a profit|cash cow|gold mine|goldmine|money pit|pays for itself|pay for itself|undercut)`,
  `(price|prices|pricing|priced|asking|number|ask|rent|figure) ~2 (is|are|was|seems|looks|feels|s|being|be|its|thats|sounds) [really|very|pretty|actually|quite|a bit|a little|so|just|kind of|already|way|too|more than|extremely|somewhat|honestly|probably] (${worthIt})`,
  `(fair|great|good|amazing|excellent|fantastic|reasonable|unbeatable|steep|crazy|inflated|ridiculous|unbelievable|incredible|better|best|terrific|decent|attractive|bad|high|low) (price|prices|pricing|deal|value|number|asking price|buy|bargain|rent)`,
  `(good|great|smart|solid|safe|excellent|wise|wonderful|sound|strong|fantastic|best|sensible|bad|poor|better|brilliant) (investment|investments|buy|purchase|return|returns|bet|move)`,
  `(good|great|best|perfect|ideal|right|bad|smart|excellent|wrong) (time|moment|market) to (buy|sell|invest|purchase|list)`,
  `(buyers|sellers|hot|cold|strong|weak|slow|red hot|soft|cooling) market`,
  ...near(5, 'value|values|prices|price|market|home values|property values|housing market|equity', rise),
  ...near(
    6,
    'appreciate|appreciates|appreciated|appreciation|appreciating',
    'homes|values|value|area|faster|property|properties|house|percent|over|there|market|neighborhood|years',
  ),
  `(${house}) [will|would|should|could|ll|d|is going to|can|might|probably|definitely] [easily|probably|definitely|likely|certainly|surely|also] (fetch|appraise|sell for|sell above|sell over|sell quickly|sell fast|sell in|go for|go over|go quickly|go fast|bring|hold its|hold their|gain|lose value|sell within|rent out|rent for|rent quickly|flip|be worth|command|net you|get you|be gone|sell itself)`,
  `(expect|expects|bet|think|guess|imagine|predict|believe|sure) [it|this|the|that|they|your] [house|home|one|place] [will|would|ll|to|should] (sell|go|fetch|appraise|appreciate|close|get|be gone)`,
  `(wont|doesnt|not|never|dont|didnt) (last|stay) [long|on|the|past|until|through|a|another] [the|market|long|weekend|week|until|day|available]`,
  `(gone|off the market|under contract|sold|snapped up) (by|within|before|in|this) [the|a|this|next|end|few] (monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|week|days|day|hours|tomorrow|tonight)`,
  `(offer|bid|start|come in|go in|coming in|going in|open|offering|bidding|counter|countering) [with|at|them|in|a|an|for|of|the|about|around|maybe|right] [a|at|around|something|the] ~1 (full price|full asking|below|under|over|less|lower|higher|asking|percent|thousand|a little|a bit|above|more|least|least asking|strong|cash)`,
  `(fair|reasonable|strong|solid|good|competitive|low|lowball|winning|decent|aggressive|realistic) (offer|bid|opening offer|starting offer|counteroffer)`,
  `(get|talk|negotiate|knock|bring|haggle|beat) (them|it|him|her|the seller|the price|the sellers|the owner|thousands|that) (down|for less|off|under|for under|lower|to come down)`,
  `(too much|way too|asking too|asking way|paying too|overpay|overpaying|overpaid|underpay|leaving money)`,
  `(find|get|see|beat) [a|anything|something|another|any|one] [thats|much|that] (cheaper|better price|better deal|lower price|better value|this price|that price|better for the price)`,
  `(you|we|i) [can|could|would|might|should|d] [easily|probably|definitely|always|even] (flip|resell|rent it out|make money|cash in|profit|double your|recoup|sell it for more)`,
  `(crazy|foolish|silly|dumb|mistake) (not to|to pass|to wait|to miss|to let) [buy|jump|on|this|take|it]`,
  `(buy|sell|purchase|act|wait|waiting|jump|move) [now|soon|fast|today|a few|until|before|while|on this] ~4 (prices|price|values|market|rates|save|months|cheaper|goes up|go up|too late)`,
  `(rent|rental income|rental|tenants|tenant) ~3 (cover|covers|pay|pays|offset) ~2 (mortgage|payment|costs|loan|itself)`,
  `(below|above|under|over|beneath) [the] [current|fair] (market|asking|value|comps|what its worth|list price)`,
  `(seller|sellers|they|owner|owners) ~3 (greedy|desperate|motivated|unrealistic|flexible|lower|budge|come down|take less|asking too)`,
  `(sell|sells|sold|resell|rent) (it|them|this|that|your (home|house|place|condo)) [again] [later] for (more|less|a lot|way|much|double|at least|over|twice|a profit|top)`,
  `(buying|owning|renting) [a|now|here|there] [home|house] (beats|is better|is cheaper|makes more|is smarter|is always)`,
  `(throwing [your|away] [your] (money|rent) [away]|cheaper than rent|cheaper than renting)`,
  `(hold|holds|holding|keep|keeps|retain|lose) [its|their|the] (value|worth)`,
  `(only|just) (go|going) (up|down)`,
  // Spanish
  `(vale|valen|valdra|valdria) ~2 (mas|menos|la pena comprar|mucho|cada|lo que|el precio|demasiado)`,
  `(muy|demasiado|bastante|tan) (cara|caro|barata|barato|caras|baratas)`,
  `(buen|buena|excelente|gran|mejor|mala|mal) (precio|inversion|negocio|oferta|trato|compra|momento para (comprar|vender)|tiempo para (comprar|vender))`,
  `(ganga|regalada|sobrevalorada|sobrevaluada|subvaluada|plusvalia|inversion segura)`,
  ...near(
    4,
    'precio|precios|valor|mercado|valores',
    'subir|subiran|sube|suben|subira|bajar|bajaran|baja|bajan|bajara|caer|caera|aumentar|aumentara|alto|justo|excelente|razonable|inflado|elevado',
  ),
  `(ofrezca|ofreceria|ofrecer|oferte|ofreciera|negocie) [un|el|por|a|poco] ~1 (menos|mas|por debajo|por ciento|diez|cinco|abajo|mil|bajo)`,
  `(yo) (ofreceria|compraria|venderia|pagaria)`,
  `(ganar|ganara|ganaria|recuperar|duplicar|hacer) [mucho|su|buen|el] (dinero|inversion|negocio)`,
  `(compre|venda|aproveche) (ahora|ya|antes|hoy)`,
]
