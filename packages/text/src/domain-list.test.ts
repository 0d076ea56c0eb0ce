/** Lists of domains in the formats of spreadsheets and other servers. */
import { expect, test } from 'vitest'
import { readDomainList } from './domain-list.js'
import { booleanIn, decodeTable } from './table-text.js'

const list = { columns: ['#domain', '#severity'], rows: [['a.example', 'silence']] }

test.each([
  ['commas', '#domain,#severity\na.example,silence'],
  ['semicolons', '#domain;#severity\na.example;silence'],
  ['tabs', '"#domain"\t"#severity"\r\na.example\tsilence\r\n'],
  ['a line that declares the separator', 'sep=;\r\n#domain;#severity\r\na.example;silence'],
  ['the columns in another order', '#severity,#domain\nsilence,a.example'],
  ['blank lines first', '\n\n#domain;#severity\na.example;silence'],
  ['rows without content first', ';;\r\n" ";""\r\n#domain;#severity\r\na.example;silence\r\n;\r\n'],
  ['blank lines and a line that declares the separator', '\n;\nsep=;\n#domain;#severity\na.example;silence'],
])('a list with %s', (_, text) => {
  expect(readDomainList(text, 10)).toEqual(list)
})

test.each(['domain,severity', 'Domain;severity', 'severity,domain'])(
  'names of columns without # are recognised: %s',
  (head) => {
    const [separator = ','] = /[,;]/.exec(head) ?? []
    const row = head.startsWith('severity') ? ['silence', 'a.example'] : ['a.example', 'silence']
    expect(readDomainList(`${head}\n${row.join(separator)}`, 10)).toEqual({ ...list, columns: ['#domain', 'severity'] })
  },
)

test.each([
  ['public_comment;domain', 'spam;bad.example'],
  ['Reason,Domain', 'spam,bad.example'],
  ['notes\tdomain', 'spam\tbad.example'],
  ['see a.example,domain,private_comment', 'spam,bad.example,x'],
])('a list whose domain is in another place is read without a column for the severity: %j', (head, row) => {
  const list = readDomainList(`${head}\n${row}`, 10)
  expect([list.columns?.[0], list.rows[0]?.slice(0, 2)]).toEqual(['#domain', ['bad.example', 'spam']])
})

test.each([
  'bad.example;spam, domain, reason',
  'bad.example,spam; domain; severity',
  'bad.example;spam, domain, other',
  'bad.example,domain,reason',
])('a list that begins with a domain has no column names, whatever its comment contains: %s', (line) => {
  const { columns, rows } = readDomainList(line, 10)
  expect([columns, rows[0]?.[0]]).toEqual([null, 'bad.example'])
})

test('a list without column names begins with a domain', () => {
  const rows = [
    ['a.example', 'suspend', 'my domain'],
    ['b.example', 'silence', ''],
  ]
  for (const separator of [',', ';', '\t'])
    expect(readDomainList(rows.map((row) => row.join(separator)).join('\n'), 10)).toEqual({ columns: null, rows })
})

test.each([
  'a.example;suspend;spam, scam, abuse',
  'a.example\tsuspend\tspam, scam; abuse',
  'a.example,suspend,spam; scam; abuse; hate',
  '@a.example;suspend;spam, scam, abuse',
])('the separator of a list without column names follows its first domain: %s', (line) => {
  const [[domain, severity, comment] = []] = readDomainList(line, 10).rows
  expect([domain?.replace('@', ''), severity, comment?.startsWith('spam')]).toEqual(['a.example', 'suspend', true])
})

test('booleans are read in the languages of spreadsheets, and unknown words are no value', () => {
  for (const word of ['TRUE', 'yes', '1', 'on', ' Wahr ', 'VRAI', 'VERDADERO', 'ИСТИНА'])
    expect([word, booleanIn(word)]).toEqual([word, true])
  for (const word of ['false', 'No', '0', 'OFF', 'FALSCH', 'FAUX', 'FALSO', 'FAŁSZ'])
    expect([word, booleanIn(word)]).toEqual([word, false])
  for (const word of ['', ' ', 'perhaps', '2', undefined]) expect([word, booleanIn(word)]).toEqual([word, undefined])
})

test('a table is read in the character sets of spreadsheets', () => {
  const text = '#domain\tBücher\n'
  expect(decodeTable(Buffer.from(text))).toBe(text)
  expect(decodeTable(Buffer.from(text, 'latin1'))).toBe(text)
  expect(decodeTable(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(text)
})
