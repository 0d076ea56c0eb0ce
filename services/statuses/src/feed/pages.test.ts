/** Pages of followers in one job: failed pages, pages that cannot be loaded, and the end of a range. */
import { expect, test, vi } from 'vitest'
import { forPages, MAX_PAGES, type PageRange } from './pages.js'

/** Runs `forPages` on pages that end with 10, 20 … `last`. Pages that begin after an id of `failing` fail. */
const run = async (
  range: PageRange,
  { last = 30, failing = [], unloadable = [] }: { last?: number; failing?: number[]; unloadable?: number[] },
) => {
  const handled: number[] = []
  const log = { info: vi.fn() }
  const outcome = await forPages({ log } as never, range, {
    load: async (after = '0') => {
      if (unloadable.includes(Number(after))) throw new Error('not loaded')
      return { next: Number(after) + 10 < last ? String(Number(after) + 10) : null }
    },
    handle: async (_page, after = '0') => {
      if (failing.includes(Number(after))) throw new Error('not handled')
      handled.push(Number(after))
    },
  })
  return { ...outcome, handled, logged: log.info.mock.calls.length }
}

test('all pages are handled, and none is left', async () => {
  expect(await run({}, {})).toEqual({ failed: [], next: null, isFirstDone: true, handled: [0, 10, 20], logged: 0 })
})

test('the next job begins after the last page of this one', async () => {
  const next = { after: String(MAX_PAGES * 10), until: undefined }
  expect(await run({}, { last: 900 })).toMatchObject({ next, handled: [0, 10, 20, 30, 40] })
})

test('a page that fails is returned with its end, and later pages are handled', async () => {
  const failed = [
    { after: undefined, until: '10' },
    { after: '20', until: undefined },
  ]
  expect(await run({}, { failing: [0, 20] })).toMatchObject({ failed, next: null, isFirstDone: false, handled: [10] })
  expect(await run({}, { failing: [10] })).toMatchObject({
    ...{ failed: [{ after: '10', until: '20' }], next: null },
    ...{ isFirstDone: true, handled: [0, 20], logged: 1 },
  })
})

test('the job of a failed page ends with it', async () => {
  const range = { after: '10', until: '20' }
  expect(await run(range, {})).toMatchObject({ failed: [], next: null, handled: [10] })
  // Followers that were added meanwhile move the end of the page.
  expect(await run({ after: '10', until: '25' }, { last: 90 })).toMatchObject({ next: null, handled: [10, 20] })
})

test('if a later page cannot be loaded, the next job begins with it', async () => {
  const next = { after: '10', until: undefined }
  expect(await run({}, { unloadable: [10] })).toMatchObject({ failed: [], next, handled: [0], logged: 1 })
})

test('the job fails if its first page cannot be loaded, or if all pages fail', async () => {
  await expect(run({}, { unloadable: [0] })).rejects.toThrow('not loaded')
  await expect(run({}, { failing: [0, 10, 20] })).rejects.toThrow('not handled')
  await expect(run({}, { failing: [0], unloadable: [10] })).rejects.toThrow('not handled')
})
