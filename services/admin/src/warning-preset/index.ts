/** Warning presets for actions on accounts. */
export { textWithPreset } from './rules.js'
export {
  deleteWarningPreset,
  insertWarningPreset,
  lockWarningPreset,
  storeWarningPreset,
  warningPresetById,
} from './store.js'
