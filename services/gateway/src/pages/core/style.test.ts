/** Rules of the style sheet that no page test can see. */
import { expect, test } from 'vitest'
import { STYLE } from './style.js'

test('paragraphs of posts, descriptions and quotes have the direction of their own first letter', () => {
  const rule = STYLE.split('\n').find((line) => line.endsWith('{unicode-bidi:plaintext}')) ?? ''
  for (const part of ['.content', '.prose', 'dl.fields', '.quote', ':is(p,li,pre)']) expect(rule).toContain(part)
})
