import { near } from './near.ts'

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
    7,
    'tax|taxes|taxed|taxable|untaxed|irs|tax free|tax bill|tax hit|property tax|income tax|bracket|refund|write offs|deductions',
    'file|filing|gift|save|bundle|gifting|gifted|inherit|inherited|estate|sell|selling|wait|before december|this year|next year|claim|spouse|profit|gain|gains|two years|lived|live there|rental|rent it|roll|exchange|report|reported|check|checks|never|audit|audits|wipe|wipes|wipe out|offset|offsets|cut|cuts|nothing|zero|none|pocket|keep more|bigger|get back|shave|trim|slash|lowest|minimize|dodge|skip|skips|escape|expense|expenses|business|primary residence|homestead|points|interest|solar|improvements|donate|postpone|spread|trust|loss|losses|appeal|protest|contest|will drop|will fall|wont go up',
  ),
  `(deducts|depreciated|depreciating|write offs|writing off|expense (it|the|that|your|those|them)|expensing|step up|stepped up|cost basis|basis|tax loss|loss harvesting|cost segregation|opportunity zone|gift tax|estate tax|inheritance tax|transfer tax exemption|real estate professional|passive losses|passive loss|qualified opportunity|like kind|boot|installment sale|section 121|salt cap|standard deduction|schedule (e|c|a)|homestead (form|exemption|filing|deduction)|energy credit|solar credit|first time buyer credit)`,
  `(uncle sam|cost seg|transfer tax|tax free|taxfree|tax deferred|tax write|write offs|swap it tax|tax season|tax time|tax man|taxman|tax bite|tax burden|tax savings|tax smart|capital loss|offset your (wages|income|salary|gains))`,
  `(owe|owes|owing|pay) (next to nothing|nothing|zero|very little|less|way less|a lot less|almost nothing|peanuts) ~4 (april|year|tax|close|taxes|if|when|sale|gain)`,
  `(property|tax|county) (bill|assessment|valuation|taxes) ~4 (shrink|appeal|drop|fall|lower|freeze|frozen|cut|reduce|reduced|go down|protest|contest|less|capped)`,
  `(appeal|appealing|protest|protesting|contest|fight|freeze|frozen|file for) ~3 (assessment|property tax|property taxes|tax bill|homestead|valuation|exemption)`,
  `(assessment|assessments) [is|are|gets|get] (frozen|capped|reduced|lowered)`,
  `(mileage|receipts|repairs|remodel|improvements|furniture|interest|office|internet|travel|losses|loss|depreciation) ~7 (claim|claimed|claimable|basis|deduct|write|offset|expense|count against|reduce)`,
  `(24|two|2) [months|years|of] [of] [the] [last|out of] ~3 (60|five|5) ~4 (gains|gain|out of|exclusion|tax|free)`,
  `(money|check|credit|refund|cash) back (from|on) [the|your] (government|irs|state|taxes|feds)`,
  `(free and clear) ~3 (tax|uncle|irs|gain)`,
  `(use|used|apply) ~3 (loss|losses|that) ~2 (offset|reduce|against|cancel)`,
  `(no|zero|any|avoid|avoids|exclude|first|of) [of] (gain|gains|capital) [to|is|on|gains] [report|tax|tax free|taxed|taxes]`,
  `(gain|gains|profit|proceeds|money|gift|inheritance|sale) ~4 (tax free|not taxed|untaxed|isnt taxed|wont be taxed|isnt taxable|exempt|excluded|to report|report it|have to report|need to report|declare)`,
  `(dont|do not|wont|no need to|never|neednt) ~3 (report|declare|claim) ~4 (irs|income|return|taxes|it|sale|gift|rent|anything)`,
  `(put|move|title|transfer|gift|give|deed) ~3 (spouses|wifes|husbands|sons|daughters|kids|parents) ~4 (bracket|tax|taxes|deduction)`,
  `(stay|stays|drop|drops|fall|falls|land|lands|put you|keep you|keeps you) ~2 (in|into|to) ~2 (lower|higher|smaller) [tax] bracket`,
  `(bigger|larger|nice|big|higher) [tax] (refund|deduction|write off|credit)`,
  `(claim|take|use|get|file for) [it|the|a|your|that|as] ~1 (home office|homestead|exclusion|exemption|depreciation|deduction|credit|mortgage interest|write off)`,
  `(la|esa|su|toda la) ganancia ~4 (cobran|cobra|paga|pagar|suya|libre|gravan|grava|exenta)`,
  ...near(
    6,
    'impuesto|impuestos|taxes|hacienda|irs|fisco|ganancia|ganancias|renta anual|declaracion|deduccion|reembolso|1031',
    'descontar|paga menos|pague menos|descuenta|descontarlos|descontarse|ahorra|ahorrar|ahorre|ahorrese|no paga|no pagaria|no pagara|paga nada|pagar menos|exento|exenta|libre|baja|bajar|baje|reduce|reducir|evita|evitar|evitarse|difiere|diferir|gasto|gastos|negocio|declare|declara|declararlo|reportar|reporte|mas grande|mayor|salir|regresan|devuelven|vive dos anos|vivio|al vender|vender|antes de|este ano|conviene|regalar|donar|heredar|nada',
  ),
  `(ponga|meta|pase|declare|reporte|registre) ~4 (como|a) [un] (gasto|gastos|negocio|deduccion|perdida|renta)`,
  `(deduzca|deducirlo|deducirlos|desgrava|desgravar|exencion|plusvalia municipal)`,
  ...near(
    5,
    'impuesto|impuestos|hacienda|irs',
    'ahorra|ahorrar|ahorro|ahorrarse|deducir|evitar|menos|bajar|bajan|pagar|pagara|paga|exento|exencion|libre|reducir|credito|devolucion|reembolso|deber',
  ),
  `(deducir|deduccion|deducible|deducibles|deducirse|ganancias de capital|credito fiscal)`,
]

