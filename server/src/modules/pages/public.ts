export { type FieldErrors, type FormFields, fieldErrorsOf, messageOf, readForm } from './form.ts'
export { type Html, type Part, html, named } from './html.ts'
export { notice, page, seeOther } from './page.ts'
export { errorPage, pageRoute, presentErrors } from './page-route.ts'
export {
  action,
  alert,
  area,
  choices,
  day,
  field,
  hidden,
  moment,
  select,
  shownOnce,
  table,
} from './parts.ts'
