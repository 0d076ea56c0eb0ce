// Cases for the names of languages on the dashboard.
import { expect, test } from 'vitest'
import { languageName } from './dimension.rules.js'

test.each([
  ['und', 'Unknown'],
  ['de', 'German'],
  ['pt-BR', 'Brazilian Portuguese'],
  ['ak', 'Akan'],
  ['tw', 'Twi'],
  ['zh-YUE', 'Cantonese'],
  ['constructor', 'constructor'],
])('the language %s is named %s', (code, name) => expect(languageName(code)).toBe(name))
