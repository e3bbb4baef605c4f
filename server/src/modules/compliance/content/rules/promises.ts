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
  `(its|is|it is|thats|im|i am|we are|were) [absolutely|quite|pretty|very|100] (certain|sure|positive|confident) [that|the|this|they|it|you|a|about] [will|sale|deal|seller|zoning|house|theyll|youll|itll|they|offer|price|appraisal]`,
  `(offer|offers|bid|application|loan|sale|deal|closing|appraisal|repairs|permit|zoning|house|renovation|work) [will|would|ll|is going to|are going to|should] [all|definitely|surely|certainly|easily|absolutely] [be] (accepted|approved|go through|close|happen|finished|done|completed|granted|fixed|change|come in|work out|succeed|ready|on time|pass|win|sell)`,
  `(they|theyll|seller|sellers|owner|owners|landlord|bank|builder) [will|would|ll|are going to|is going to] [definitely|surely|certainly|absolutely|probably|gladly|happily|100] (accept|take it|take your|take that|agree|lower|drop|pay|sign|approve|fix|repair|come down|say yes|jump|give in|cover|cave|throw in|love your)`,
  `(seller|owner|owners|sellers|landlord) (is|are) (definitely|certainly|surely|absolutely|guaranteed|going to (pay|accept|take|lower|agree|fix|cover))`,
  `(nobody|no one|noone) [else] (will|would|can|is going to|could) (outbid|beat|top|match|offer|find|be)`,
  `(you|youll|youd|they|theyll|buyers) [will|would|are|re] [going to|absolutely|definitely|never|not|totally|wont|surely] [be|to] (regret|love living|be happy|be thrilled|disappointed|be disappointed|happy with)`,
  `(wont|will not|never) [ever] (regret|be disappointed|have any problems|have any issues|have problems|have trouble|give you|find a better|cause|leak|need repairs|break down|be sorry|lose money|have to worry)`,
  `(there are|theres|there is|has|have|having|had|with) (no|zero|absolutely no) [hidden|structural|major|other|known] (problems|defects|issues|surprises|damage|risk|leaks)`,
  `(well|we will|i will|ill|we can|we|we always) [definitely|always|easily|surely] (sell your|sell it for|sell it in|get our buyers|get you the house|get you that|get you the best|get your house sold|get it sold|get you top|win|beat any|have it sold|get them to|make them|make sure you get the)`,
  `(deal|sale|closing) ~2 (falls|fall|falling) through`,
  // Spanish
  `(garantizo|garantizamos|garantizado|garantizada|garantiza|garantia de que|prometo|prometemos|aseguro|aseguramos|le juro|te juro|mi palabra|sin duda|sin riesgo|confie en mi|creame|cien por ciento|no hay riesgo|no se va a arrepentir|no se arrepentira|trato hecho)`,
  `(seguro|segurisimo|definitivamente|ciertamente|claro) que [si] [le|se|el|la|lo|van|va] ~2 (aceptar|aceptan|vender|vende|aprobar|aprueban|bajar|gana|baja|acepta|subir|encantara|encantar)`,
  `(seguro|definitivamente|sin falta) [le|se|lo|la] (van|va|aceptan|aceptaran|aprueban|venden|vende|gana|ganara|acepta)`,
  `(vendedor|dueno|propietario|banco|ellos) [le|les|lo|seguro] (va a|van a) [le] (aceptar|bajar|pagar|arreglar|aprobar|firmar|ceder)`,
]
