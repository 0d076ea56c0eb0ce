/** The parts of an activity that identify it together with its id. */
import type { Activity } from '@murmuration/activitypub/vocabulary/activity'
import { expect, test } from 'vitest'
import { identityParts } from './identity.rules.js'

const objects = ['https://here.example/users/bob', 'https://here.example/posts/1']
const partsOf = (comment: string) => identityParts({ type: 'Flag', objects, comment } as unknown as Activity)

test('a Flag without a comment has the key of earlier releases, which consists of its objects alone', () => {
  expect(partsOf('')).toEqual(objects)
})

test('the comment of a Flag is part of its identity', () => {
  const [one, two] = [partsOf('one'), partsOf('two')]
  expect(one).toEqual([...objects, expect.stringMatching(/^[\w-]{43}$/)])
  expect(two).not.toEqual(one)
  expect(partsOf('one')).toEqual(one)
})
