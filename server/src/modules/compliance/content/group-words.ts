/** Words that several rules share. */
export const adults =
  'couple|couples|person|persons|people|individual|individuals|adult|adults|tenant|tenants|renter|renters|buyer|buyers|resident|residents|occupant|occupants|applicant|applicants|professional|professionals|roommate|roommates'
export const families = 'family|families|household|households'
export const place =
  'neighborhood|neighborhoods|neighbourhood|neighbourhoods|area|areas|community|communities|block|street|streets|town|suburb|suburbs|city|district|subdivision|building|complex|location|side|enclave'
export const origins =
  'white|whites|black|blacks|caucasian|caucasians|african|asian|asians|hispanic|hispanics|latino|latinos|latina|latinas|latinx|mexican|mexicans|chinese|korean|koreans|japanese|vietnamese|filipino|filipinos|indian|indians|pakistani|pakistanis|arab|arabs|arabic|persian|iranian|russian|russians|polish|irish|italian|italians|german|germans|american|americans|somali|haitian|nigerian|puerto|cuban|cubans|dominican|biracial|interracial|colored|minority|minorities|immigrant|immigrants|foreigner|foreigners|ethnic'
export const faiths =
  'christian|christians|catholic|catholics|protestant|protestants|evangelical|evangelicals|jewish|jew|jews|muslim|muslims|islamic|mormon|mormons|lds|hindu|hindus|buddhist|buddhists|sikh|sikhs|atheist|atheists|orthodox|baptist|baptists|religious|churchgoing|godly'
export const old = 'senior|seniors|elderly|retiree|retirees|retired|pensioners'
export const good =
  'good|great|excellent|top|best|better|outstanding|award|blue|terrific|amazing|superb|fantastic|highly|acclaimed|desirable|coveted|sought|prestigious|renowned|exceptional|strong|bad|poor|failing|worst|worse|terrible|weak|underperforming'
