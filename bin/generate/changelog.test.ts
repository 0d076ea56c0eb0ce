/** The changelog from fragments. */
import { expect, test } from 'vitest'
import { changelog, type Fragment, readFragment } from './changelog.js'

test('a fragment has a version, a kind and one line', () => {
  expect(readFragment('changes/next/rss-of-tags.added.md', 'Hashtags have an RSS feed.\n')).toEqual({
    version: 'next',
    kind: 'added',
    text: 'Hashtags have an RSS feed.',
  })
})

test.each([
  ['changes/next/Rss.added.md', 'A line.', 'name it'],
  ['changes/next/rss.improved.md', 'A line.', 'name it'],
  ['changes/soon/rss.added.md', 'A line.', 'name it'],
  ['changes/next/rss.added.md', 'Two\nlines.', 'one line'],
  ['changes/next/rss.added.md', ' \n', 'one line'],
  ['changes/next/rss.added.md', `${'a'.repeat(300)}.`, 'one line'],
  ['changes/next/rss.added.md', 'A line', 'period'],
])('%s with %j is refused', (path, text, reason) => {
  expect(readFragment(path, text)).toContain(reason)
})

test('versions are in descending order, and kinds in the usual order', () => {
  const one = (version: string, kind: Fragment['kind'], text: string): Fragment => ({ version, kind, text })
  expect(
    changelog([
      one('4.9.0', 'fixed', 'B.'),
      one('4.10.0', 'fixed', 'D.'),
      one('4.10.0', 'added', 'C.'),
      one('next', 'security', 'E.'),
      one('4.9.0', 'fixed', 'A.'),
    ]),
  ).toBe(`<!-- Written by npm run gen from changes/. -->
# Changelog

## Next release

### Security

- E.

## 4.10.0

### Added

- C.

### Fixed

- D.

## 4.9.0

### Fixed

- A.
- B.
`)
})
