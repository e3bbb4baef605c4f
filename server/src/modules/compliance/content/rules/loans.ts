import { near } from './near.ts'

const loan =
  'loan|loans|mortgage|mortgages|fha|va loan|va benefit|va|seller financing|bridge loan|credit union|home equity|line of credit|mortgage broker|points|underwriter|apr|ratio|dti|debt to income|gift letter|usda|conventional|jumbo|heloc|adjustable|arm|fixed rate|fixed|interest only|refinance|refinancing|refi|down payment|downpayment|pmi|mortgage insurance|preapproval|financing|credit score|credit'
const lent =
  'approved|approve|approves|approval|qualify|qualifies|qualified|best|better|cheaper|cheapest|sense|right|perfect|smart|smarter|ideal|fine|enough|plenty|easily|easy|trouble|recommend|suggest|advise|should|lock|lower|afford|improve|raise|boost|build|fix|option|way to go|bet|terms|avoid|wait|go with|go for|choose|take the|eliminate|hurt|ding|great|suits|safer|safest|easier|beats|use|get|got|make|makes|worth|buy|buying|pull|pay for|fund|finance|smartest|stretch|comfortably|carry|no problem|wont be a problem|wont mind|overlook|overlooks|dont tell|dont mention|hide|skip|put|save you|saves|bigger|smaller|apply now|apply today|float|low enough|high enough|good enough|strong enough|look better|looks good|count'

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
  `(refinance|refi|refinancing) [as soon|as|when|once|now|next|in|later|after|the|to|would|could|will|is|makes|and|before|it]`,
  `(id|i would|you should|just|lets|better to|best to|time to|keep|let it|should) [also|definitely] (float|lock|refinance|refi|buy down|pay points|buy points|prepay|put down|put more|put less|put 20|borrow|finance|cosign)`,
  `(lock|float) [it|in|that|your|the] [rate|rates] [in|today|now|this|another|until|before|a bit|for]`,
  `(rates|rate|interest) ~3 (about to|headed|heading|expected to|set to|likely to|bound to|will|should|going to|wont|may|might) ~2 (jump|rise|fall|drop|dip|climb|ease|be|come|go|spike|tick|improve|stay|increase|decrease)`,
  `(as soon as|when|once|until|before|if) [the|interest|mortgage] (rates|fed) (dip|dips|drop|fall|cut|cuts|ease|come|go|rise|improve)`,
  `(with|on|at) [a|an|your|that] (580|600|620|640|650|660|680|700|720|740|750|760|780|800) ~3 (you|youd|youll|fha|fine|qualify|approved|no)`,
  `(you|you two|your) [both|easily|definitely|already] (make|earn|bring in|income|salary|debt|savings|credit|ratio|score|numbers|paycheck) ~3 (enough|plenty|fine|low enough|high enough|good enough|strong|great|more than|well within|to buy|to afford|supports|shouldnt|wont)`,
  `(good|high|low|strong|solid|more than) enough (for|to) ~2 (loan|mortgage|buy|buying|qualify|fha|va|financing|conventional|approved|approval|house|home)`,
  `(youre|you are|consider yourself|youd be|youll be) [basically|already|pretty much|as good as|practically] (pre qualified|prequalified|pre approved|preapproved|approved|qualified|fine for|good for|set for) [in|for|at|up|with|on]`,
  `(underwriter|underwriters|lender|lenders|bank|banks) ~2 (wont|doesnt|dont|rarely|never|usually|will) ~1 (mind|care|notice|overlook|ignore|question|approve|say yes|flag|look past|look the other way)`,
  `(underwriter|underwriters|lender|lenders|bank|banks) ~2 (wont|doesnt|dont|rarely|never) ~1 (ask|check|count|look at)`,
  `(pay off|pay down|paying off|close|consolidate|dont open|avoid opening|open|wait to|hold off on|dont buy|dont finance) ~3 (card|cards|car|loan|loans|debt|debts|account|accounts|balance|balances|furniture) ~6 (before|until|first|so|and|ratio|score|apply|closing|close|mortgage|loan|better)`,
  `(put|putting|bring|need|save|come up with) [down] [at|only|just|a|about|more|less] ~1 (5|10|15|20|25|3.5|3|five|ten|fifteen|twenty|twenty five|three) [5] [percent] (down|percent)`,
  `(thirty|30|fifteen|15|twenty) year (fixed|mortgage|loan) [is|would|makes|beats|suits|fits|mortgage|loan|will]`,
  `(adjustable|arm|fixed rate|fixed|interest only|balloon|fha|va|conventional|usda|jumbo) [loan|mortgage|rate] (makes sense|is safer|is the|is best|is better|would be|beats|fits|works|saves|costs less|is smart|is smarter|is your|is a better|is right|is probably|is perfect)`,
  `(carry|handle|afford|manage|swing) [a|the|that|this] [monthly|mortgage|house] (payment|payments|mortgage|note|loan)`,
  `(pull|take|tap|use|cash) ~2 (equity|heloc|home equity|401k|ira|retirement) ~6 (down|buy|payment|fund|pay|purchase|remodel|finance|second|lake)`,
  `(self employed|self employment|overtime|bonus|rental|part time|commission) (income|pay|earnings) ~4 (wont|counts|count|isnt|is fine|no problem|qualifies|doesnt|hurt|enough)`,
  `(skip|avoid|ditch|drop|just pay|pay|dodge|so you skip) [the|paying] (pmi|mortgage insurance|points|escrow)`,
  `(your|the) lender ~2 (will|wont|doesnt|should) ~2 (know|mind|care|find out|need to know|love|say)`,
  `(dont|do not|never|no need to) [tell|mention|disclose|let] ~3 (lender|bank|underwriter|loan officer) [about|know|the|your]`,
  `(budget|income|salary|payment) ~4 (comfortably|easily) ~3 (afford|cover|carry|handle)`,
  // Spanish
  `(califica|calificas|calificaria|califican) [usted|sin|para|seguro|facil|facilmente|de|con|ya]`,
  `(con) [ese|esa|su|un|una|el|la|sus|esos] ~2 (sueldo|salario|ingreso|ingresos|credito|puntaje|historial|enganche|ahorros|640|660|680|700|720) ~3 (le|la|lo|si|sin|puede|alcanza|califica|prestan|aprueban|arma|basta|sobra|va)`,
  `(le|les|te|se lo|se la|lo|la) (prestan|aprueban|prestarian|aprobarian|aprobaran|prestaran|dan el|darian el|va a aprobar|van a aprobar|va a prestar|van a prestar|autorizan) [sin|facil|seguro|el|la|un|rapido|con|casi|sin broncas]`,
  `(le conviene|les conviene|conviene|convendria|es mejor|mejor|recomiendo|sugiero|le sugiero|yo usaria|yo pediria|pida|saque|use|agarre|elija|tome) [mas|que] [un|una|el|la|pedir|sacar|usar|tomar|con] ~2 (prestamo|hipoteca|credito|fha|va|convencional|tasa fija|tasa|linea de credito|plazo|refinanciar|enganche)`,
  `(refinancie|refinancien|refinanciar|refinancia) [en|cuando|ahora|ya|antes|despues|luego|la|su|el]`,
  `(esperese|espere|esperen|aguante|espera|conviene esperar) ~4 (tasas|tasa|intereses|bajen|baje|fed)`,
  `(pague|liquide|cancele|junte|cierre) ~3 (tarjetas|tarjeta|deudas|deuda|carro|prestamos) ~3 (antes|primero|para)`,
  `(de|ponga|pon|junte|dar|poner) [el|un|al menos|por lo menos|mas|unos] [veinte|20|diez|10|cinco|5|tres|3] [por] [ciento|100] [de] (enganche|inicial|pronto)`,
  `(ahorra|ahorrar|evita|evitar|quita|quitar|se brinca) ~2 (seguro hipotecario|pmi|el seguro)`,
  `(tasas|tasa|intereses) ~3 (bajar|subir|bajan|suben|bajaran|subiran|bajando|subiendo|bajen|suban|mejorar|caer)`,
  ...near(
    5,
    'prestamo|prestamos|hipoteca|credito|fha|tasa|tasas|enganche|financiamiento|refinanciar|refinanciamiento',
    'califica|calificar|calificaria|aprueban|aprobar|aprobarian|aprobado|seguro|facil|facilmente|conviene|convendria|mejor|recomiendo|suficiente|bajar|subir|bajan|suben|esperar|fija|fijo|variable|sin problema|mas baja|mas bajo|mas grande|debe|deberia|alcanza|le alcanza',
  ),
  `(le|te|les|lo) (van a|va a) (aprobar|prestar|dar el|autorizar)`,
  `(usted|ustedes|tu) [si|ya|seguro|facilmente] (califica|califican|calificas)`,
]
