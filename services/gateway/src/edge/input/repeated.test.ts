// Names that are repeated in a query.
import { showWebFinger } from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import { parseQuery } from './form.js'
import { lastOfEach } from './repeated.js'

test('WebFinger keeps every repeated rel and the last resource', () => {
  const given = parseQuery('resource=a&resource=b&rel=self&rel=http://webfinger.net/rel/avatar')
  expect(lastOfEach(showWebFinger as AnyOperation, given)).toEqual({
    resource: 'b',
    rel: ['self', 'http://webfinger.net/rel/avatar'],
  })
})
