import { near } from './near.ts'

const someone =
  'you|they|he|she|we|seller|sellers|landlord|landlords|owner|tenant|tenants|buyer|buyers|builder|association|bank|anyone|nobody'
const may =
  'can|cant|cannot|could|must|should|shouldnt|have to|has to|had to|dont have to|doesnt have to|need to|dont need to|may|are allowed to|is allowed to|arent allowed to|are required to|is required to|might as well|d|would|wouldnt|will have to'
const papers =
  'contract|contracts|lease|agreement|deal|deposit|deposits|earnest money|deed|title|clause|contingency|contingencies|offer|purchase|sale|addendum|rent|escrow|disclosure|disclosures'

/** Law: what one may, must or need not do about a contract, and what the law says. */
export const legal: readonly string[] = [
  `(${someone}) (${may}) [just|always|simply|legally|still|even|also|be|not|really|safely] (evict|evicted|sue|sued|waive|rescind|withhold|disclose|void|contest|countersue|back out|walk away|stop paying|litigate|subpoena|skip the inspection|give you notice|give notice|give them notice|take action|press charges)`,
  `(${someone}) (${may}) [just|always|simply|legally|still|even|also|not|really|safely|get out of] (cancel|break|terminate|withdraw|keep|return|refund|transfer|sign|enforce|end|get|put|leave|refuse|change) ~3 (${papers})`,
  `(id|i would|i|just|lets|better|recommend|suggest|youd|could|should|to) [just|personally|definitely] (waive|waiving|skip|skipping|forgo|forego|drop|remove) [the|your|that|an] [home|financing|appraisal] (inspection|appraisal|contingency|contingencies|disclosure|walkthrough|title search)`,
  `(be|been|being|get|gets|got) (evicted|sued|liable|prosecuted|fined)`,
  `(eviction|evictions|lawsuit|lawsuits|litigation|attorneys fees|statute|statutes|liability|liable)`,
  `(under|according to|by|against) [the|state|your|local|illinois|federal|this|our|current|california|texas|florida] [state|tenant|housing|federal|landlord] (law|laws|statute|code)`,
  `(law|laws|contract|lease|agreement|clause) (says|say|requires|require|allows|allow|lets|let|gives|give|protects|protect|prohibits|obligates|means|entitles|is on your side|permits)`,
  `(legally|lawfully|illegally|unlawful|illegal|legal (right|rights|obligation|duty|to|requirement|grounds|for))`,
  `(within|know|have|exercise|waive|waiving|violating|violates|violated) (your|their|his|her|the) rights`,
  `(grounds|cause|case|basis|standing) (to|for|against) [sue|a|the|them|legal|breaking|action|terminate|terminating|cancel|canceling] [sue|them|lawsuit|builder|seller|landlord|action|contract]`,
  ...near(
    5,
    'contract|lease|agreement|clause|deed|verbal agreement|oral agreement|contingency|waiver|document',
    'valid|invalid|void|binding|enforceable|unenforceable|airtight|ironclad|standard|null|loophole|worthless|holds up|hold up|notarized|walk away|allows it|lets you|get out|back out|protects you|protected',
  ),
  `(broke|breaks|breaking|broken|violated|violates|violating|against|violation of) the law`,
  `(money|deposit|earnest money|purchase|investment) (is|are|will be|would be) [completely|totally|perfectly|fully|always|absolutely] (safe|secure|protected|refundable|at risk)`,
  `(get|getting|gets|keep|recover|lose|receive) [back] [your|the|his|her|their] [full|whole|entire|earnest|security] (deposit|money|earnest money) [back]`,
  `(inspection|appraisal|lawyer|attorney|title insurance|disclosure|permit) [really|just|for|on|a] (isnt|is not|not|wont be|wouldnt be) [really|actually|even|all that|strictly] (necessary|needed|required|worth|important|legally)`,
  `(dont|no|wont|not|without|never|doesnt) [really|even] (need|needed|involve|involving|bother|need to|have to|hire|use|necessary) [to|with|for] [hire|involve|get|use|bother|pay for|have|a|an|any|your] [a|an|any] (lawyer|lawyers|attorney|attorneys)`,
  `(put|putting|place|transfer|transferring|hold|take|add|keep) [it|the|your|that] [house|home|property|title|deed|name] [in|to|into|under|on] ~3 (trust|llc|name|corporation|deed|title)`,
  `(entitled|obligated|obliged) (to|by|under)`,
  `(stop paying|stop the payments|withhold [the|your] rent|break the lease|break [the|your] contract|sign it and|just sign|creditors)`,
  // Spanish
  `(tiene|tienes|tienen|tendria) [todo|el|pleno] [el] derecho [a|de]`,
  `(la ley|por ley|legalmente|segun la ley|ilegal|desalojar|desalojarlo|desalojo|demandar|demandarlo|demandarlos|demandarla|demanda|incumplimiento)`,
  `(puede|puedes|debe|debes|podria|deberia|pueden) [legalmente|siempre|usted] (cancelar|romper|rescindir|anular|renunciar|terminar|retener|firmar|recuperar) ~3 (contrato|acuerdo|deposito|renta|contingencia|inspeccion|arrendamiento|escritura|multa)`,
  `(no|sin) [le|se|es|hace] (falta|necesita|necesario|requiere|ocupa|necesidad) [de] [un|una|ningun|contratar] [un] (abogado|abogada|notario|inspeccion|abogados)`,
  `(devolver|devolverle|devuelven|regresar|regresan) ~2 (deposito|dinero)`,
  `(clausula|contrato|multa|eso) [no] (es|seria) [muy|totalmente] (legal|ilegal|valida|valido)`,
  `(contrato|acuerdo|clausula) ~3 (valido|valida|nulo|obliga|permite|obligatorio|validez|anular|sencillo|estandar)`,
]

/** Taxes: what one would save, owe or deduct. */
export const taxes: readonly string[] = [
  ...near(
    5,
    'tax|taxes|irs|tax bill|taxable|taxed',
    'save|saves|saving|savings|credit|credits|lower|lowers|less|avoid|avoids|owe|owed|free|exempt|exemption|exemptions|break|breaks|benefit|benefits|advantage|advantages|go down|go up|reduce|reduces|drop|deferred|defer|write off|claim|claiming|refund|shelter|gain|gains|wont have to pay|dont have to pay|wont pay|deduct|loophole|haven|penalty|efficient',
  ),
  `(deduct|deducts|deducting|deduction|deductions|deductible|depreciate|depreciation|write off|writeoff|write it off|write that off|capital gains|capital gain|1031|stepped up basis|homestead exemption|itemize|business expense|tax credit)`,
  `(buyer|homebuyer|time|energy|solar) (credit|credits|rebate)`,
  `(claim|report|declare|count|counts|file) [it|this|that|the|your|them] [house|home|property|place] (as|on|for) [a|an|your|the] ~1 (rental|deduction|loss|residence|expense|dependent|return|taxes|exemption|investment)`,
  ...near(
    5,
    'impuesto|impuestos|hacienda|irs',
    'ahorra|ahorrar|ahorro|ahorrarse|deducir|evitar|menos|bajar|bajan|pagar|pagara|paga|exento|exencion|libre|reducir|credito|devolucion|reembolso|deber',
  ),
  `(deducir|deduccion|deducible|deducibles|deducirse|ganancias de capital|credito fiscal)`,
]

const loan =
  'loan|loans|mortgage|mortgages|fha|va loan|usda|conventional|jumbo|heloc|adjustable|arm|fixed rate|fixed|interest only|refinance|refinancing|refi|down payment|downpayment|pmi|mortgage insurance|preapproval|financing|credit score|credit'
const lent =
  'approved|approve|approves|approval|qualify|qualifies|qualified|best|better|cheaper|cheapest|sense|right|perfect|smart|smarter|ideal|fine|enough|plenty|easily|easy|trouble|recommend|suggest|advise|should|lock|lower|afford|improve|raise|boost|build|fix|option|way to go|bet|terms|avoid|wait|go with|go for|choose|take the|eliminate|hurt|ding|great|suits'

/** Loans: whether one would get one, which, and when. */
export const loans: readonly string[] = [
  ...near(5, loan, lent),
  `(you|youd|youll|youre|he|she|they|your) ~3 (qualify|qualifies|prequalify|be approved|get approved|approved|preapproved|be eligible|eligible)`,
  `(get|gets|getting) (approved|preapproved|qualified|a loan|you approved)`,
  `(rate|rates|interest) ~4 (go up|go down|going up|going down|drop|dropping|rise|rising|fall|falling|climb|come down|coming down|increase|decrease|lower|higher|better|worse|bottom|spike|lock|locking|locked|steady|cut|cuts)`,
  `(lock|locking) [in|down] [your|the|a|that|this|it|today] [low|current|todays|interest|mortgage] (rate|rates|in|it|now|anything|today)`,
  `(put|putting|pay|paying) [at|more|a|as|less|only|just|least|down|bigger] ~3 (down) [payment|to|so|and|if]`,
  `(you|your budget|your income|your salary) [can|could|should|would|d|will|ll|easily] [definitely|easily|be able to|comfortably|probably|certainly] (afford|borrow|carry|handle)`,
  `(bank|banks|lender|lenders|they|underwriter|underwriting|underwriters) [will|would|ll|d|should|can|are going to|is going to] [surely|definitely|easily|probably|certainly|gladly|happily|also|likely] (lend|approve|give you|say yes|loan|finance|accept you|says yes|love|overlook)`,
  `(pay off|pay down|close|open|opening|dont open|consolidate) [your|the|a|that|any|all|some|new] [new|other|old] (credit|credit card|credit cards|card|cards|car|car loan|debt|debts|student loans|balances|balance)`,
  `(your|that|good|bad|a|with) [credit] (credit|score|income|dti|debt ratio) ~2 (fine|good enough|great|high enough|strong|plenty|no problem|shouldnt be|wont be|isnt a problem|okay|ok|qualifies|enough|doesnt matter)`,
  `(no|zero|any|have) ~1 (trouble|problem|problems|difficulty|issue|issues) (getting|with|qualifying|finding|securing) ~2 (loan|mortgage|financing|approval|approved|lender|underwriting)`,
  `(monthly|mortgage|house) (payment|payments) ~3 (comfortably|afford|affordable|manageable|low|lower|cheaper|less than rent)`,
  // Spanish
  ...near(
    5,
    'prestamo|prestamos|hipoteca|credito|fha|tasa|tasas|enganche|financiamiento|refinanciar|refinanciamiento',
    'califica|calificar|calificaria|aprueban|aprobar|aprobarian|aprobado|seguro|facil|facilmente|conviene|convendria|mejor|recomiendo|suficiente|bajar|subir|bajan|suben|esperar|fija|fijo|variable|sin problema|mas baja|mas bajo|mas grande|debe|deberia|alcanza|le alcanza',
  ),
  `(le|te|les|lo) (van a|va a) (aprobar|prestar|dar el|autorizar)`,
  `(usted|ustedes|tu) [si|ya|seguro|facilmente] (califica|califican|calificas)`,
]
