import type { Endpoint } from '#kernel/http/endpoint.ts'
import { openApi } from '../../src/api.ts'
import { type Schema, formats, widestValues } from './hostile-values.ts'

const eventNames = Object.keys((openApi as { webhooks: object }).webhooks)

const urls = [
  `https://hooks.example.com/${'x'.repeat(2048 - 'https://hooks.example.com/'.length)}`,
  `https://${'a23456789.'.repeat(24)}example.com/`,
  'https://münchen.example/straße?q=%F0%9F%98%80',
  'HTTPS://Hooks.Example.com:65535/a//b/?c=d&&e',
  'https://8.8.8.8',
  'https://[2606:4700::1111]:8443/',
]
const listsOfEvents = [[], eventNames, Array.from({ length: 100 }, () => 'contact.created')]

/** What a text may say that is not free but names something of the world or of the house. A new one wants a line here. */
const named: Record<string, unknown[]> = {
  'POST /leads phone': ['312-555-0123', '+1 (312) 555-0123 ext. 12345678', '+442079460958', '8005551212'],
  'POST /webhooks url': urls,
  'POST /webhooks event_types': listsOfEvents,
  'PATCH /webhooks/{id} url': urls,
  'PATCH /webhooks/{id} event_types': listsOfEvents,
  'POST /webhooks/{id}/test event_type': eventNames,
  'GET /events type': eventNames,
  'GET /webhooks/{id}/deliveries event': eventNames,
}

const keyOf = ({ method, path }: Endpoint, name: string) => `${method} ${path} ${name}`

const isId = (name: string) => name.endsWith('_id')

/** Values at the very edge of what a member or a parameter takes. */
export function acceptedValues(endpoint: Endpoint, name: string, schema: Schema): unknown[] {
  if (isId(name)) return []
  return named[keyOf(endpoint, name)] ?? formats[schema.format ?? '']?.taken ?? widestValues(schema)
}

/** Values that are as the schema says and name nothing all the same. */
export function namelessValues(endpoint: Endpoint, name: string, schema: Schema): unknown[] {
  const taken = named[keyOf(endpoint, name)]?.map((value) => JSON.stringify(value))
  if (taken === undefined) return []
  return widestValues(schema).filter((value) => !taken.includes(JSON.stringify(value)))
}
