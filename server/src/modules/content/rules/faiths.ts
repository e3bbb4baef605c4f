import { near } from './near.ts'
import { asks, lives, most, owners, rejects, suits, wants } from './treatment.ts'

const people =
  'people|person|persons|folks|family|families|couple|couples|buyer|buyers|tenant|tenants|renter|renters|applicant|applicants|resident|residents|neighbor|neighbors|household|households|home|owner|owners|community|communities|population|neighborhood|neighborhoods|area|areas|street|streets|town|suburb|building|complex|block|enclave|enclaves|crowd|students|congregation|landlord|seller|sellers|values|part of town|faith|woman|man|believer'

/** Religions, and what their members do. Names of faiths have no other use in a message, except in names of places. */
export const faiths: readonly string[] = [
  `(${suits}) for [a|an|the] (muslim|jewish|christian|catholic|hindu|mormon|orthodox|evangelical|religious|sikh|buddhist) [or] (${people})`,
  `(muslim|muslims|islamic|islam|christians|catholics|protestant|protestants|evangelical|evangelicals|jewish|jews|mormon|mormons|hindu|hindus|buddhist|buddhists|sikh|sikhs|atheist|atheists|baptists|orthodox|churchgoer|churchgoers|churchgoing|devout|pious|sabbath|shabbat|kosher|halal|hijab|hijabs|burka|turban|turbans|godly|god fearing|god loving|fellow believer|fellow believers|believers|nonbelievers|nonbeliever|worshippers|church family|religion|religions|religious|faith based|of faith|person of faith|creed)`,
  `(pentecostal|(celebrate|celebrates|observe|observes|keep|keeps) ~1 (christmas|hanukkah|ramadan|eid|diwali|passover|easter|lent|holidays)|rosario|reza|rezan|rezar|mass|culto|pastor|priest|rabbi|imam|clergy|minister|bishop|pray|prays|prayers|grace before|communion|baptized|born again|tithe|mezuzah|church (letter|reference|member|members|membership))`,
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
