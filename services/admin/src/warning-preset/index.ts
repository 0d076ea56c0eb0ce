/** Warning presets for actions on accounts. */
export { textWithPreset } from './rules.js'
export { warningPresetById } from './store.js'
