/** Tests of CSV files in the forms that other servers write. */
import { expect, test } from 'vitest'
import { addressKey, guarded, languagesIn, otherKind, readTable, separatorOf } from './table.rules.js'

const here = 'here.example'
const own = new Set([here, 'web.example'])
const keys = (...given: Parameters<typeof readTable>) => readTable(...given)?.map((row) => row.key)

test('tables are read with and without a header, and with columns in any order', () => {
  expect(
    readTable(
      'follows',
      [
        ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'],
        ['Bob@Remote.Example', 'true', 'false', 'en, de'],
        ['alice', 'false', 'true', ''],
      ],
      here,
      own,
    ),
  ).toEqual([
    { cells: ['Bob@Remote.Example', 'true', 'false', 'en, de'], key: 'bob@remote.example' },
    { cells: ['alice', 'false', 'true', ''], key: 'alice@here.example' },
  ])
  expect(keys('follows', [['@bob@remote.example'], ['carol@remote.example', 'true']], here, own)).toEqual([
    'bob@remote.example',
    'carol@remote.example',
  ])
  expect(readTable('mutes', [['Hide notifications'], ['x']], here, own)?.[0]?.cells).toEqual(['Hide notifications', ''])
  expect(
    readTable(
      'mutes',
      [
        ['Account address', 'x', 'Hide notifications'],
        ['bob@b.example', '', 'false'],
      ],
      here,
      own,
    ),
  ).toEqual([{ cells: ['bob@b.example', 'false'], key: 'bob@b.example' }])
})

test('keys of rows are normalised by kind, and duplicates are dropped', () => {
  expect(keys('domain_blocks', [['#domain'], ['Bücher.example'], ['xn--bcher-kva.example']], here, own)).toEqual([
    'xn--bcher-kva.example',
  ])
  expect(keys('domain_blocks', [['bad.example'], ['no domain at all']], here, own)).toEqual(['bad.example', ''])
  expect(
    keys('bookmarks', [['https://r.example/1'], ['javascript:alert(1)'], ['https://r.example/1']], here, own),
  ).toEqual(['https://r.example/1', ''])
  expect(
    keys(
      'lists',
      [
        ['Friends', 'bob@r.example'],
        ['Friends', 'bob@r.example'],
        ['', 'x@y.example'],
      ],
      here,
      own,
    ),
  ).toEqual(['Friends\nbob@r.example', ''])
})

test('a table of another kind is refused', () => {
  expect(readTable('blocks', [['#domain'], ['bad.example']], here, own)).toBe(null)
  expect(
    readTable(
      'follows',
      [
        ['List name', 'Account address'],
        ['Friends', 'bob@r.example'],
      ],
      here,
      own,
    ),
  ).toBe(null)
  expect(readTable('lists', [['Account address'], ['bob@r.example']], here, own)).toBe(null)
})

test.each(['Domain', 'URI', 'Account address', 'List name'])(
  'a file without header may begin with the list %j',
  (title) => {
    expect(keys('lists', [[title, 'bob@r.example']], here, own)).toEqual([`${title}\nbob@r.example`])
  },
)

test('a row with data is no header, whatever its other cells contain', () => {
  expect(keys('domain_blocks', [['bad.example', 'domain']], here, own)).toEqual(['bad.example'])
  expect(keys('follows', [['bob@r.example', 'uri']], here, own)).toEqual(['bob@r.example'])
})

const follows = ['Account address', 'Show boosts']
test.each([
  ['blocks', follows, 'table.csv', 'follows'],
  ['mutes', ['Languages', 'Account address'], 'mutes.csv', 'follows'],
  ['blocks', ['Account address', 'Hide notifications'], 'blocks.csv', 'mutes'],
  ['follows', ['Account address', 'Hide notifications'], 'table.csv', 'mutes'],
  ['follows', follows, 'mutes.csv', null],
  ['mutes', ['Account address', 'Show boosts', 'Hide notifications'], 'table.csv', null],
  ['blocks', ['Account address'], 'blocks.csv', null],
  ['blocks', ['Account address'], 'following_accounts.csv', 'follows'],
  ['blocks', ['bob@r.example'], 'follows (1).csv', 'follows'],
  ['follows', ['bob@r.example'], 'blocked_accounts.csv', 'blocks'],
  ['mutes', ['bob@r.example'], 'Lists.csv', 'lists'],
  ['domain_blocks', ['bad.example'], 'domain_blocks.csv', null],
  ['lists', ['Languages', 'bob@r.example'], 'table.csv', null],
  ['blocks', ['bob@r.example'], 'table.csv', null],
] as const)('a file of %s that begins with %j and has the name %s looks like %s', (kind, row, name, other) => {
  expect(otherKind(kind, [['', ''], [...row]], name)).toBe(other)
})

test('D070 a formula is quoted on export, and restored on import', () => {
  for (const cell of ['=1+1', '+49', '-x', '@SUM(A1)']) expect(guarded(cell)).toBe(`'${cell}`)
  expect(guarded('Friends')).toBe('Friends')
  expect(keys('lists', [["'=HYPERLINK()", 'bob@r.example']], here, own)).toEqual(['=HYPERLINK()\nbob@r.example'])
})

test('cells with languages and addresses are parsed', () => {
  expect(languagesIn('en, de ,')).toEqual(['en', 'de'])
  expect(languagesIn('')).toBe(undefined)
  expect(addressKey('not an address', here, own)).toBe('')
  expect(addressKey('Bob@web.example', here, own)).toBe(addressKey('bob', here, own))
  expect(keys('follows', [['bob@web.example'], ['bob'], ['bob@far.example']], here, own)).toEqual([
    'bob@here.example',
    'bob@far.example',
  ])
  expect([addressKey('bob', 'Bücher.example', own), addressKey('bob@bücher.example', 'Bücher.example', own)]).toEqual([
    'bob@xn--bcher-kva.example',
    'bob@xn--bcher-kva.example',
  ])
  expect([addressKey('bob', 'localhost:3000', own), addressKey('bob@localhost:3000', 'localhost:3000', own)]).toEqual([
    'bob@localhost',
    'bob@localhost',
  ])
})

test.each([
  ['follows', 'Account address,Show boosts,Notify on new posts,Languages', ','],
  ['follows', 'Account address;Show boosts;Languages', ';'],
  ['follows', 'Show boosts\tAccount address', '\t'],
  ['follows', '"Account address";"Show boosts"', ';'],
  ['follows', 'bob@b.example;true;false;en,de', ';'],
  ['follows', 'bob@b.example,true,"en;de;fr"', ','],
  ['lists', 'Birds; Trees,bob@b.example', ','],
  ['lists', 'Friends\tbob@b.example', '\t'],
  ['lists', 'Friends; family\tbob@b.example', '\t'],
  ['lists', 'Friends, old;bob@b.example', ';'],
  ['lists', '"Friends, old; new",bob@b.example', ','],
  ['lists', 'Familie, Freunde, Kollegen;bob@b.example', ';'],
  ['lists', 'Familie, Freunde, Kollegen\tbob@b.example', '\t'],
  ['lists', 'Familie, Freunde, Kollegen;bob', ';'],
  ['lists', 'Domain, URI, Kollegen;bob@b.example', ';'],
  ['lists', 'Friends,bob', ','],
  ['follows', 'bob@b.example;en,de', ';'],
  ['blocks', 'bob@b.example', ','],
  ['bookmarks', 'https://b.example/a;b;c', ','],
  ['bookmarks', 'https://b.example/a;uri;c', ','],
  ['bookmarks', '#uri;when', ';'],
  ['domain_blocks', 'bad.example;suspend;spam, scam, abuse', ';'],
  ['domain_blocks', '@bad.example\tspam, scam; abuse', '\t'],
] as const)('the separator of a %s table that begins with %j is %j', (kind, line, separator) => {
  expect(separatorOf(kind, line)).toBe(separator)
})

test('columns are found by their names wherever they are', () => {
  const follows = [
    ['Languages', 'Show boosts', 'Account address'],
    ['en', 'false', 'bob@b.example'],
  ]
  expect(readTable('follows', follows, here, own)).toEqual([
    { cells: ['bob@b.example', 'false', '', 'en'], key: 'bob@b.example' },
  ])
  expect(
    keys(
      'lists',
      [
        ['Account address', 'List name'],
        ['bob@b.example', 'Friends'],
      ],
      here,
      own,
    ),
  ).toEqual(['Friends\nbob@b.example'])
  expect(
    keys(
      'domain_blocks',
      [
        ['#severity', '#domain'],
        ['suspend', 'bad.example'],
      ],
      here,
      own,
    ),
  ).toEqual(['bad.example'])
  expect(
    readTable(
      'follows',
      [
        ['Account address', 'List name'],
        ['bob@b.example', 'Friends'],
      ],
      here,
      own,
    ),
  ).toBeNull()
})

test('rows of blank cells are left out, also before the header', () => {
  const follows = [
    ['', ' ', ''],
    ['Languages', 'Show boosts', 'Account address'],
    ['', '', ''],
    ['en', 'false', 'bob@b.example'],
  ]
  expect(readTable('follows', follows, here, own)).toEqual([
    { cells: ['bob@b.example', 'false', '', 'en'], key: 'bob@b.example' },
  ])
})

test('a long cell is cut without half of a character, which the database refuses', () => {
  const title = `${'x'.repeat(2_047)}🎉`
  const [row] = readTable('lists', [[title, 'bob@b.example']], here, own) ?? []
  expect(row?.cells.every((cell) => cell.isWellFormed())).toBe(true)
})
