import { near } from './near.ts'

const surely =
  'definitely|certainly|absolutely|surely|undoubtedly|for sure|for certain|no doubt|without a doubt|without question|no question|100 percent|always|easily|guaranteed'
const outcome =
  'sell|sells|sold|accept|accepts|accepted|win|wins|close|closes|closing|approve|approved|approval|appraise|happy|happier|yours|lower|fix|fixed|take it|take your|say yes|agree|agrees|outbid|regret|work out|go through|finished|ready|safe|refunded|appreciate|pay|pays|deposit back|come in|budge'

/** Promises: that something will happen which is in nobody's hand here. */
export const promises: readonly string[] = [
  `(guarantee|guarantees|guaranteed|guaranteeing|promise|promises|promised|promising|assure you|assured that|swear|my word|vouch|bet on it|count on it|bank on it|trust me|believe me|mark my words|cross my heart|you have my|rest easy|zero risk|no risk|risk free|cant lose|cannot lose|cant go wrong|foolproof|sure thing that|as good as (done|yours|sold)|in the bag|done deal|slam dunk|a lock|hands down)`,
  ...near(5, surely, outcome),
  `(no|without [a|any]|beyond [a|any]) (doubt|question about it|question)`,
  `(no|zero|not a) (chance|way|possibility) [of|that|this|the|it|they|anyone|you|there] [deal|sale|offer|seller|house|falling|closing|buyer]`,
  `(its|is|it is|thats|im|i am|we are|were) [absolutely|quite|pretty|very|100] (certain|sure|positive|confident) (that|the|this|they|it|you|a|about|of|theyll|youll|itll|well|your|he|she|we|everything|nothing)`,
  `(offer|offers|bid|application|loan|sale|deal|closing|appraisal|repairs|permit|zoning|house|renovation|work) (will|would|ll|is going to|are going to|should) [all|definitely|surely|certainly|easily|absolutely] [be|as good as] (accepted|approved|go through|close|happen|finished|done|completed|granted|fixed|change|come in|work out|succeed|ready|on time|pass|win|sell)`,
  `(they|theyll|seller|sellers|owner|owners|landlord|bank|builder) [will|would|ll|are going to|is going to] [definitely|surely|certainly|absolutely|probably|gladly|happily|100] (accept|take it|take your|take that|agree|lower|drop|pay|sign|approve|fix|repair|come down|say yes|jump|give in|cover|cave|throw in|love your)`,
  `(seller|owner|owners|sellers|landlord) (is|are) (definitely|certainly|surely|absolutely|guaranteed|going to (pay|accept|take|lower|agree|fix|cover))`,
  `(nobody|no one|noone) [else] (will|would|can|is going to|could) (outbid|beat|top|match|offer|find|be)`,
  `(you|youll|youd|they|theyll|buyers) [will|would|are|re] [going to|absolutely|definitely|never|not|totally|wont|surely] [be|to] (regret|love living|be happy|be thrilled|disappointed|be disappointed|happy with)`,
  `(wont|will not|never) [ever] (regret|be disappointed|have any problems|have any issues|have problems|have trouble|give you|find a better|cause|leak|need repairs|break down|be sorry|lose money|have to worry)`,
  `(there are|theres|there is|has|have|having|had|with) (no|zero|absolutely no) [hidden|structural|major|other|known] (problems|defects|issues|surprises|damage|risk|leaks)`,
  `(well|we will|i will|ill|we can|we|we always) [definitely|always|easily|surely] (sell your|sell it for|sell it in|get our buyers|get you the house|get you that|get you the best|get your house sold|get it sold|get you top|win|beat any|have it sold|get them to|make them|make sure you get the)`,
  `(deal|sale|closing) ~2 (falls|fall|falling) through`,
  `(as good as|good as|practically|basically|already) (accepted|done|sold|yours|in|approved|closed|signed|guaranteed)`,
  `(wont|will not|never|not going to|cant|cannot|no way|isnt going to) ~3 (delay|delayed|delays|problem|problems|issue|issues|surprise|surprises|trouble|hassle|snag|snags|hitch|hitches|headache|headaches|regret|disappoint|disappointed|fall through|fail|leak|flood|go wrong|back out|lose|grief|hiccups)`,
  `(never|havent ever|havent) (lose|lost|losing|had a|fail|failed|miss|missed) [a|one|an] ~1 (deal|bidding|war|closing|buyer|client|offer|bid|sale|home|house)`,
  `(nothing|little) to (lose|worry about|fear)`,
  `(no|zero|any|without) hidden (issues|problems|defects|costs|surprises|damage|fees)`,
  `(close|closes|closing|ready|finished|done|delivered|keys|moved in|move in|repairs|repaired|settle|fixed|completed|approved) ~4 (on time|no matter|for sure|without delay|without a hitch|no delays|guaranteed|count on|sure of it|smoothly|by christmas|by thanksgiving|by new years)`,
  `(we|i|our team) (always|never|only) ~1 (get|gets|sell|sells|close|closes|find|win|lose|deliver|fail|miss|let) ~3 (asking|price|more|home|house|deal|sellers|buyers|clients|time|offer|you|top|a)`,
  `(youll|you will|youre going to|youre gonna|youd) ~1 (never regret|be thrilled|be so happy|be glad|thank me|get the (house|home|place|apartment|keys)|win|be approved|be moved|be in by|make money|come out ahead)`,
  `(rock solid|bulletproof|ironclad|cant miss|sure bet|sure fire|surefire|money back|or your money|airtight|unbeatable|fail safe|failsafe|zero risk|worry free|hassle free|stress free)`,
  `(inspection|appraisal|closing|loan|offer|deal|sale|approval|permit|zoning|application) ~2 (will|ll|is going to|should|is) ~1 (pass|go fine|go smoothly|come in|come back clean|be fine|sail|close on time|go through|work out|be a breeze|fly through|no problem|a formality|a sure thing|a done deal)`,
  `(seller|sellers|owner|landlord|builder|they|bank) ~2 (will|ll|is going to|are going to) ~2 (fix|repair|replace|pay for|cover|take care of|handle|agree|accept|say yes|sign|approve|take it|take your|pick you|choose you)`,
  `(be|is|are|will be|theyre|its|its all) (a sure thing|a lock|in the bag|a done deal|a slam dunk|guaranteed|a certainty|certain to|sure to|bound to)`,
  // Spanish
  `(garantizo|garantizamos|garantizado|garantizada|garantiza|garantia de que|prometo|prometemos|aseguro|aseguramos|le juro|te juro|mi palabra|sin duda|sin riesgo|confie en mi|creame|cien por ciento|no hay riesgo|no se va a arrepentir|no se arrepentira|trato hecho)`,
  `(seguro|segurisimo|definitivamente|ciertamente|claro) que [si] [le|se|el|la|lo|van|va] ~2 (aceptar|aceptan|vender|vende|aprobar|aprueban|bajar|gana|baja|acepta|subir|encantara|encantar)`,
  `(seguro|definitivamente|sin falta) [le|se|lo|la] (van|va|aceptan|aceptaran|aprueban|venden|vende|gana|ganara|acepta)`,
  `(vendedor|dueno|propietario|banco|ellos) [le|les|lo|seguro] (va a|van a) [le] (aceptar|bajar|pagar|arreglar|aprobar|firmar|ceder)`,
  `(tenga por seguro|cuente con eso|cuente con ello|delo por hecho|dalo por hecho|esta garantizado|le garantizo|pierda cuidado|sin falla|no falla|ni lo dude|no lo dude|se lo firmo|pongo las manos)`,
  `(no|nunca|jamas) [va|van|habra|tendra|le|se] [a] [haber|tener|dar|le|se] [haber|tener] [ningun|ninguna|algun] (problema|problemas|retraso|retrasos|sorpresa|sorpresas|falla|fallas|riesgo|goteras|pero) [con|en|al|de|con la]`,
  `(va|van) a (cerrar|entregar|terminar|quedar lista|estar lista|estar listo|pasar|salir bien|aprobar|aceptar|encantar|gustar mucho|ganar|quedarse) ~3 (tiempo|seguro|inspeccion|avaluo|oferta|sin problema|sin falta|casa)`,
  `(le|les|te) (va|van) a (encantar|fascinar)`,
  `(se la|se lo|la) (quedan|queda|quedaran|van a quedar) [ustedes|usted|seguro]`,
  `(vendemos|vendo|venderemos) su (casa|propiedad) ~3 (en|antes|dias|semanas|mes|garantizado)`,
]
