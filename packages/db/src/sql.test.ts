/** SQL templates separate text and parameters, and paging conditions follow the API. */
import { expect, test } from 'vitest'
import { endsOf, keyset, newestFirst } from './keyset.js'
import { bigints, name, sql, statementName } from './sql.js'

test('values become parameters and fragments are inlined', () => {
  const only = sql`and kind = ${'image'}`
  const query = sql`select * from media where id = any(${['1', '2']}) ${only} limit ${3}`
  expect(query.text).toBe('select * from media where id = any($1) and kind = $2 limit $3')
  expect(query.values).toEqual([['1', '2'], 'image', 3])
})

test('a value is never used as SQL', () => {
  expect(sql`select ${"'; drop table x; --"}`.text).toBe('select $1')
  expect(() => name('x; drop table y')).toThrow('not an SQL identifier')
})

test('the same template has the same statement name', () => {
  const of = (id: string) => statementName(sql`select ${id}`.text)
  expect(of('1')).toBe(of('2'))
})

test('a page is below max_id, or directly above min_id, and newest first', () => {
  expect(keyset(sql`s.id`, { limit: 20, max_id: '9', since_id: '3' }).text).toBe(
    'and s.id < $1::bigint and s.id > $2::bigint order by s.id desc limit $3',
  )
  const up = { limit: 2, min_id: '3' }
  expect(keyset(sql`id`, up).text).toContain('order by id asc')
  expect(newestFirst(['4', '5'], up)).toEqual(['5', '4'])
  expect(endsOf(['5', '4'], up)).toEqual({ first: '5', last: '4', full: true })
})

test('keys of a condition are in a subquery, so that the plan does not depend on their number', () => {
  const query = sql`select 1 from media where id = any(${bigints(['1', '2'])}) and kind = ${'image'}`
  expect(query.text).toBe('select 1 from media where id = any((select $1::bigint[])::bigint[]) and kind = $2')
  expect(query.values).toEqual([['1', '2'], 'image'])
})
