import { near } from './near.ts'
import { asks, lives, most, ofPeople, owners, rejects, suits, wants } from './treatment.ts'

const people =
  'people|person|persons|folks|family|families|couple|couples|buyer|buyers|tenant|tenants|renter|renters|applicant|applicants|resident|residents|neighbor|neighbors|household|households|home|owner|owners|community|communities|population|neighborhood|neighborhoods|area|areas|street|streets|town|suburb|building|complex|block|enclave|enclaves|crowd|students|congregation|landlord|seller|sellers|values|part of town|faith|woman|man|believer'

/** Religions, and what their members do. Names of faiths have no other use in a message, except in names of places. */
export const faiths: readonly string[] = [
  `(${suits}) for [a|an|the] (muslim|jewish|christian|catholic|hindu|mormon|orthodox|evangelical|religious|sikh|buddhist) [or] (${people})`,
  ...ofPeople(
    'islamic|protestant|evangelical|jewish|mormon|hindu|buddhist|sikh|orthodox|devout|pious|sabbath|kosher|halal|godly|believers|religion|religions|religious|creed',
  ),
  `(muslim|muslims|islam|christians|catholics|protestants|evangelicals|jews|mormons|hindus|buddhists|sikhs|atheist|atheists|baptists|churchgoer|churchgoers|churchgoing|shabbat|hijab|hijabs|burka|turban|turbans|god fearing|god loving|fellow believer|fellow believers|nonbelievers|nonbeliever|worshippers|church family|faith based|of faith|person of faith)`,
  ...ofPeople(
    'mass|culto|pastor|priest|rabbi|imam|clergy|minister|bishop|pray|prays|prayers|communion|tithe',
  ),
  `(pentecostal|(celebrate|celebrates|observe|observes|keep|keeps) ~1 (christmas|hanukkah|ramadan|eid|diwali|passover|easter|lent|holidays)|rosario|reza|rezan|rezar|grace before|baptized|born again|mezuzah|church (letter|reference|member|members|membership))`,
  `(reserved|reserving|saved|saving|kept|keep|held|holding|only|prefer|prefers) [it] for [a|an|the] ~2 (from|of|in|at) (our|my|the owners|their|the same) (parish|church|congregation|temple|mosque|synagogue|faith|religion)`,
  `(synagogue|mosque|church|temple|shabbat|parish) (crowd|people|families|folks|goers|set|members)`,
  `(muslims|musulman|musulmanes|musulmana|cristianos|catolicos|judios|judias|mormones|evangelicos|hindues|ateos|creyentes|testigos de jehova)`,
  ...near(3, 'christian|catholic|baptist|lutheran|methodist|amish', people),
  ...near(3, 'christian|catholic|baptist|lutheran|amish', most),
  ...near(
    8,
    'christian|catholic|baptist|lutheran',
    `${wants}|${rejects}|${asks}|${suits}|${owners}|${lives}`,
  ),
  ...near(
    9,
    'church|mosque|synagogue|temple|parish|congregation|shul|gurdwara',
    `community|close knit|tight knit|belong|attend|attends|member|members|neighbors|fit|feel at home|feel right|you go|goes to|go to the same|active in|strong|welcoming|thats where|so its where|mostly|mainly|majority|everybody|full of|lots of|families|everybody|everyone|prefers|landlord|owner|owners|seller|sellers|tenants|mention|what|which|do you`,
  ),
  ...near(
    8,
    'faith|beliefs|values|bible|prayer|scripture|god|worship',
    'share|shares|sharing|same|our|their|christian|biblical|family|moral|conservative|traditional|liberal|household|landlord|owner|seller|sellers|owners|tenants|buyer|buyers|person|people|fellow',
  ),
  `(people|person|family|families|man|woman|buyers|tenants|couple) of (faith|god|the book)`,
  ...near(
    9,
    'cristiano|cristiana|cristianas|catolico|catolica|catolicas|judio|judia|musulman|evangelico|evangelica|creyente|religioso|religiosa|mormon|mormona|evangelica',
    'persona|personas|familia|familias|gente|barrio|zona|comunidad|solo|prefiere|buscamos|busca|si es|es usted|usted es|vecinos|vecindario|solamente|dueno|duena|inquilino|inquilinos|casa|hogar|quiere|quieren|vendedor|puras|puros|mayoria|pareja|ambiente',
  ),
  ...near(
    9,
    'iglesia|parroquia|sinagoga|mezquita|fe|misa|culto|religion|dios|biblia',
    'unida|asiste|asisten|miembros|comparte|comparten|misma|mismo|sentira|usted va|va usted|vaya|van a la|van a|digame si|importa|duena|dueno|quiere|quieren|inquilinos|personas de|gente de|temerosa|temerosos|que religion|vecinos|comunidad|casados',
  ),
]
