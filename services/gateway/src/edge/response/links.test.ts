/** S-084: the Link header repeats the kept parameters and escapes characters that would end a URL. */
import { type AnyOperation, anyone, get, operation, pageOf } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { linkHeader } from './links.js'

const op = (keeps: string[]): AnyOperation =>
  operation('statuses.test.list', {
    http: get('/api/v1/x'),
    viewer: anyone(),
    input: z.object({}),
    output: pageOf(z.object({}), 'timeline', keeps),
    about: 'A test.',
  })
const at = { origin: 'https://social.example', path: '/api/v1/x' }

test('S-084 next is before prev; both contain the kept parameters and the cursor', () => {
  expect(
    linkHeader(
      op(['local', 'limit']),
      at,
      { limit: '5', local: 'true', max_id: '9', other: 'x' },
      { next: { max_id: '1' }, prev: { min_id: '5' } },
    ),
  ).toBe(
    '<https://social.example/api/v1/x?local=true&limit=5&max_id=1>; rel="next", <https://social.example/api/v1/x?local=true&limit=5&min_id=5>; rel="prev"',
  )
})

test('S-084 lists are repeated with brackets', () => {
  expect(linkHeader(op(['types', 'limit']), at, { types: ['a', 'b&c'] }, { next: { max_id: '1' }, prev: null })).toBe(
    '<https://social.example/api/v1/x?types[]=a&types[]=b%26c&max_id=1>; rel="next"',
  )
})

test('S-084 there is no header without a next or previous page, nor for an operation that is not a list', () => {
  expect(linkHeader(op([]), at, {}, { next: null, prev: null })).toBeNull()
  const single: AnyOperation = operation('statuses.test.show', {
    http: get('/x'),
    viewer: anyone(),
    input: z.object({}),
    output: z.object({}),
    about: 'A test.',
  })
  expect(linkHeader(single, at, {}, { next: { max_id: '1' }, prev: null })).toBeNull()
})

test('characters in path or parameters that would end the URL are escaped', () => {
  const header = linkHeader(
    op(['q']),
    { ...at, path: '/api/v1/x>;rel="evil"' },
    { q: '>; rel="evil"' },
    { next: { max_id: '1' }, prev: null },
  )
  expect(header).toBe(
    '<https://social.example/api/v1/x%3E;rel=%22evil%22?q=%3E%3B%20rel%3D%22evil%22&max_id=1>; rel="next"',
  )
})
