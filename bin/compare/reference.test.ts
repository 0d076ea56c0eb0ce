/** The page of differences matches the description in OPENAPI_REFERENCE. Without that variable, a warning is printed. */
import { readFileSync } from 'node:fs'
import { openApiDocument } from '@murmuration/contracts/openapi'
import { expect, test } from 'vitest'
import { type Description, differences } from './differences.js'
import { explained } from './explained.js'

const file = process.env.OPENAPI_REFERENCE
const ours = openApiDocument({ origin: 'https://social.example' }) as unknown as Description

test('the description has no difference from itself, so that every explanation is stale', () => {
  const { open, stale } = explained(differences(ours, ours))
  expect(open).toEqual([])
  expect(stale.length).toBeGreaterThan(10)
})

if (file === undefined) console.warn('The API is not compared with a description: OPENAPI_REFERENCE names none.')
else
  test('S-001 every difference from the described client API has a reason, and every reason a difference', () => {
    const theirs = JSON.parse(readFileSync(file, 'utf8')) as Description
    expect(explained(differences(ours, theirs))).toEqual({ open: [], stale: [] })
  })
