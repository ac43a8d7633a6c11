/** Every setting with its default. */
import { Value } from 'typebox/value';
import { Settings } from '../../electron/contract/admin.ts';

export const usualSettings: Settings = Value.Parse(Settings, Value.Default(Settings, {}));
