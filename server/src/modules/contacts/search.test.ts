import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'

let app: TestApp
beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

/** Adds the contact and one that no query here is about, and returns which queries find the contact alone. */
async function foundBy(agent: Client, contact: object, queries: readonly string[]): Promise<string[]> {
  await agent.post('/contacts', { first_name: 'Zebulon', phone: '+16465550199' })
  const { id } = (await agent.post('/contacts', contact)).body
  const found: string[] = []
  for (const q of queries) {
    const { data } = (await agent.get(`/contacts?fields=id&q=${encodeURIComponent(q)}`)).body
    if (data.length === 1 && data[0].id === id) found.push(q)
  }
  return found
}

const asWritten = [
  '312-555-0123',
  '(312) 555-0123',
  '312.555.0123',
  '312-555',
  '555-0123',
  '1 312 555 0123',
  '+1 (312) 555-0123',
  '+13125550123',
  '3125550123',
  '312 555 0123',
  '312 0123',
  '0123',
  '312/555-0123',
  '３１２ ５５５ ０１２３',
  'tel:+1-312-555-0123',
  '312–555–0123',
]

test.each<[contact: object, queries: readonly string[]]>([
  [{ phone: '+13125550123' }, asWritten],
  [{ phone: '(312) 555-0123 ext. 45' }, [...asWritten, '312-555-0123 ext. 45', 'ext. 45']],
  [{ phone: '312-555-0123 (cell)' }, [...asWritten, 'cell']],
  [{ phone: '５５７' }, ['557']],
  [{ phone: '555-0123' }, ['555-0123', '5550123', '555.0123']],
  [
    { phone: '+44 20 7946 0958' },
    ['020 7946 0958', '(020) 7946 0958', '+44 20 7946 0958', '0044 20 7946 0958', '7946-0958'],
  ],
  [{ phone: 'call my wife' }, ['wife']],
  [{ first_name: 'Łukasz', last_name: 'Zqłapiński' }, ['lukasz', 'zqlapinski', 'Łukasz', 'ŁUKASZ zqła']],
  [
    { first_name: 'Jürgen', last_name: 'Zqstrauß' },
    ['zqstrauss', 'zqstrauß', 'jurgen', 'JÜRGEN', 'ZQSTRAUẞ'],
  ],
  [{ first_name: 'Søren' }, ['soren', 'søren', 'SØREN']],
  [{ first_name: 'Đặng' }, ['dang', 'Đặng', 'đang']],
  [{ first_name: 'Æsa' }, ['aesa', 'æsa', 'ÆSA']],
  [{ first_name: 'Guðrún' }, ['gudrun', 'guðrun', 'GUÐRÚN']],
  [{ first_name: 'Þórir' }, ['thorir', 'þórir']],
  [{ first_name: 'Œdipe' }, ['oedipe', 'œdipe']],
  [{ first_name: 'Işık' }, ['isik', 'IŞIK', 'ışık']],
  [{ first_name: 'Ħamrun' }, ['hamrun', 'ħamrun']],
  [{ first_name: 'Γιώργος' }, ['γιωργος', 'ΓΙΏΡΓΟΣ']],
  [
    { first_name: 'Siobhan', last_name: 'O’Brien' },
    ["O'Brien", 'OBrien', 'o brien', 'O’Brien', 'O`Brien', 'brien'],
  ],
  [{ first_name: 'Siobhan', last_name: "O'Brien" }, ['O’Brien', 'obrien', 'siobhan o']],
  [{ last_name: 'OBrien' }, ["O'Brien", 'O’Brien', 'o-brien']],
  [{ first_name: 'Anne-Marie' }, ['annemarie', 'anne marie', 'Anne-Marie', 'anne–marie', 'marie', 'ma']],
  [{ first_name: 'Annemarie' }, ['anne-marie', 'annemarie']],
  [{ last_name: "D'Angelo" }, ['dangelo', 'D’Angelo', 'd angelo', 'angelo']],
  [{ first_name: 'Kaʻiulani' }, ['kaiulani', "ka'iulani", 'Kaʻiulani']],
  [{ first_name: 'J.R.', last_name: 'Smith' }, ['jr smith', 'J.R. Smith', 'j r smith', 'Smith, J.R.']],
  [{ last_name: 'Smith-Jones' }, ['smithjones', 'smith jones', 'jones']],
  [{ first_name: 'Jean\u2011Luc' }, ['jeanluc', 'jean-luc', 'jean luc']],
  [{ first_name: 'Sh\u00adarma' }, ['sharma']],
  [
    { email: "mary.o'hara-home@mail.reyes.example" },
    ["mary.o'hara", 'maryohara', 'mail.reyes', 'hara-home@mail'],
  ],
])('%j is found by %j', async (contact, queries) => {
  expect(await foundBy(await app.credential(), contact, queries)).toEqual(queries)
})

test.each<[contact: object, queries: readonly string[]]>([
  [
    { first_name: 'Jane', last_name: 'Doe' },
    [
      'Doe,Jane',
      'Doe;Jane',
      'doe, jane',
      'Jane/Doe',
      'jane|doe',
      'Doe，Jane',
      ',doe,',
      'Doe,,Jane',
      'Doe،Jane',
    ],
  ],
  [{ first_name: 'Jane/John', last_name: 'Doe' }, ['john', 'jane', 'jo', 'Doe,John', 'Jane & John']],
  [{ first_name: 'Jane&John' }, ['john', 'jane john', 'jo']],
  [{ last_name: 'Doe,Jane' }, ['jane', 'ja', 'doe jane']],
  [{ last_name: 'Doe;Jane' }, ['ja', 'Jane Doe']],
  [{ first_name: 'Unit #12' }, ['12', '#12', 'unit 12']],
  [{ phone: '+52 55 4163 7201' }, ['+5215541637201', '5215541637201', '52155', '+52 55 4163', '55 4163']],
  [{ phone: '+5491123456789' }, ['+541123456789', '5491123456789', '5411 2345']],
  [{ phone: '+229 01 97 12 34 56' }, ['+22997123456', '22997', '0197123456']],
])('%j is found by %j', async (contact, queries) => {
  expect(await foundBy(await app.credential(), contact, queries)).toEqual(queries)
})

test('a contact is not found by what only looks like it', async () => {
  const queries = ['obryan', '312-555-0124', '1 312 555 0199', 'annmarie', '0123 4', '213', '']
  const contact = { first_name: 'Anne-Marie', last_name: 'O’Brien', phone: '+13125550123' }
  expect(await foundBy(await app.credential(), contact, queries)).toEqual([])
})

test('a tag is one tag, and is found, in any case', async () => {
  const agent = await app.credential()
  const tags = ['buyer', 'Buyer', 'BUYER', ' ', '', 'École', 'école ', 'VIP']
  const { id, ...made } = (await agent.post('/contacts', { tags })).body
  expect(made['tags']).toEqual(['buyer', 'École', 'VIP'])
  for (const tag of ['buyer', 'BUYER', 'Buyer', 'école', 'ÉCOLE', 'vip'])
    expect((await agent.get(`/contacts?tag=${encodeURIComponent(tag)}`)).body.data, tag).toHaveLength(1)
  for (const tag of ['ecole', '', '%20', 'buye'])
    expect((await agent.get(`/contacts?tag=${tag}`)).body.data, tag).toEqual([])
  await agent.patch(`/contacts/${id}`, { tags: ['Buyer', 'new'] })
  const { data } = (await agent.get('/events?type=contact.tag_added')).body
  expect(data.map((one: { data: { tag: string } }) => one.data.tag)).toEqual(['new'])
})
