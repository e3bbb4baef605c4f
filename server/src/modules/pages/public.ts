export { assetRoutes } from './assets.ts'
export { type Html, type Part, html, named } from './html.ts'
export { type Page, notice, page, seeOther } from './page.ts'
export { nothingUnder, pageRoute } from './page-route.ts'
export {
  type Choice,
  type Field,
  action,
  alert,
  area,
  choices,
  day,
  field,
  hidden,
  moment,
  shownOnce,
  table,
} from './parts.ts'
