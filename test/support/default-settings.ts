/** Every setting with its default. */
import { Value } from 'typebox/value';
import { Settings } from '../../packages/contract/src/settings/settings.ts';

export const defaultSettings: Settings = Value.Parse(Settings, Value.Default(Settings, {}));
