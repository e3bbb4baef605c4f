import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Brokerage, openBrokerage, toMember } from '#test/support/brokerage.ts'
import { createProgram } from '../../../cli/program.ts'

let brokerage: Brokerage
beforeAll(async () => {
  brokerage = await openBrokerage('routing_commands')
})
afterAll(() => brokerage[Symbol.asyncDispose]())

test('rules are checked, set, shown, changed, and restored, and every version is kept', async () => {
  const { output, document, file, ids, piped, routing } = brokerage
  const rules = await file('rules.json', document)
  const [builtIn, dry, none] = await Promise.all([
    routing('list'),
    output('set', '--file', rules, '--dry-run'),
    routing('history'),
  ])
  expect(builtIn.out).toMatch(/^The built-in rules; none were ever set\. [^]*\n- +Round robin \(default\) /)
  expect(dry).toMatchObject({ version: 0, dry_run: true, added: [{ id: null, name: 'North Shore' }, {}] })
  expect(none.out).toBe('No rules were set yet: the built-in rules apply.\n')

  const made = await piped(JSON.stringify(document), 'set', '--file', '-')
  expect(made).toEqual({
    code: 0,
    err: '',
    out: `Version 1 of the rules is now in effect.
  Added: North Shore · Referrals
  Changed: the default rule
  Timezone: America/New_York → America/Chicago\n`,
  })
  const [shown, list, again] = await Promise.all([
    output('show'),
    routing('list'),
    output('set', '--file', rules),
  ])
  expect(shown).toMatchObject({ version: 1, ...document })
  expect(list.out).toMatch(
    /^100 +North Shore +round_robin +team “North Shore” +1 +yes +zip is one of \[60201, 60202\] and not \(context\.intent is rent\)$/m,
  )
  expect(list.out).toMatch(/^200 +Referrals +direct +Ada Reyes +1 +yes +source is Referral$/m)
  expect(again).toMatchObject({ version: 1, added: [], changed: [], removed: [], default_changed: false })

  const [ours] = shown.rules
  const second = { ...shown, rules: [{ ...ours, enabled: false }, toMember('Portal', 'Portal', ids.ada)] }
  const changed = await output('set', '--file', await file('second.json', second))
  expect(changed).toMatchObject({
    version: 2,
    added: [{ id: expect.any(String), name: 'Portal' }],
    changed: [{ id: ours.id, name: 'North Shore' }],
    removed: [{ name: 'Referrals' }],
    timezone: null,
  })
  const [stale, first, history] = await Promise.all([
    routing('set', '--file', await file('second.json', { ...second, timezone: 'UTC' })),
    output('show', '--version', '1'),
    output('history'),
  ])
  expect(stale).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The rules have changed in the meantime/),
  })
  expect(history).toMatchObject([
    { version: 2, actor: { name: 'gable' }, removed: [{ name: 'Referrals' }] },
    { version: 1, default_changed: true },
  ])
  expect(first).not.toHaveProperty('version')
  expect(await output('set', '--file', await file('first.json', first))).toMatchObject({ version: 3 })
})

test('issues of a document are reported with their paths, and nothing changes', async () => {
  const { output, document, file, ids, routing } = brokerage
  await brokerage.setRules()
  const [before] = await output('history')
  const [northShore] = document.rules
  const other = toMember('Other', 'Other', ids.ada)
  const rules = [
    { ...northShore, pool: {}, metod: 'direct' },
    { ...other, conditions: { field: 'price', operator: 'gte', value: 'much' } },
    { ...other, fallback: [{ member_id: ids.cy }] },
  ]
  const [faults, unknown, noJson, nowhere] = await Promise.all([
    routing('set', '--file', await file('faults.json', { timezone: 'America/Chicgo', rules })),
    routing(
      'set',
      '--file',
      await file('unknown.json', {
        rules: [other, { ...northShore, pool: { team_id: ids.cy } }],
      }),
    ),
    routing('set', '--file', await file('no.json', '{"rules": [')),
    routing('set', '--file', '/nowhere/rules.json'),
  ])
  const lines = faults.err.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^These fields are invalid: .*timezone/)
  expect(lines.slice(1).map((line) => line.trim().split(':')[0])).toEqual(
    expect.arrayContaining([
      'timezone',
      'rules.0.metod',
      'rules.0.pool',
      'rules.1.conditions.value',
      'rules.2.name',
    ]),
  )
  expect(unknown).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^rules\.1\.pool\.team_id: names no team/),
  })
  expect(noJson).toMatchObject({ code: 1, err: expect.stringMatching(/no\.json is not JSON: /) })
  expect(nowhere).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Cannot read \/nowhere\/rules\.json \(ENOENT\)\.\n$/),
  })
  expect((await output('history'))[0]).toEqual(before)
})

test('the schema accepts what `show` prints and rejects misspelled fields', async () => {
  const { output, document, routing } = brokerage
  await brokerage.setRules()
  const schema = JSON.parse((await routing('schema')).out) as object
  const validate = new Ajv2020({ strict: false }).compile(schema)
  expect(validate(await output('show')), JSON.stringify(validate.errors)).toBe(true)
  expect(validate({ rules: [{ ...document.rules[0], metod: 'direct' }] })).toBe(false)
})

test.for([
  ['routing set --workspace ID', /--file/],
  ['routing show --workspace ID --version 0', /whole number, 1 or more/],
  ['routing history --workspace ID --limit few', /whole number, 1 or more/],
  ['routing test --workspace ID --lead {} --file f', /cannot be used with/],
  ['routing test --workspace ID --lead {} --at noon', /It must be a time such as/],
  ['routing backtest --workspace ID --rules f', /--since/],
  ['routing backtest --workspace ID --rules f --since yesterday', /It must be 90s, 30m, 24h, 7d/],
  ['routing backtest --workspace ID --since 30d', /--rules/],
  ['routing agent pause --workspace ID', /member/],
  ['routing agent pause A --workspace ID --until tomorrow', /It must be a time such as/],
  ['routing agent shifts A --workspace ID --file f --always', /cannot be used with/],
  ['routing agent resume A', /--workspace/],
] as const)('%s is a usage error', async ([command, message]) => {
  await expect(createProgram().parseAsync(command.split(' '), { from: 'user' })).rejects.toThrow(message)
})
