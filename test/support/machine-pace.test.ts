import { describe, expect, it } from 'vitest';
import { patient, slownessOf } from './machine-pace.ts';

describe('the limits of tests', () => {
  it('stay as they are written on two quiet cores, also on faster ones', () => {
    expect(slownessOf(20, 0.5)).toBe(1);
    expect(slownessOf(5, 0)).toBe(1);
  });
  it('grow with a slower processor, and where others wait for it', () => {
    expect(slownessOf(60, 1)).toBe(3);
    expect(slownessOf(20, 4)).toBe(4);
  });
  it('end somewhere, so that what hangs is found on every machine', () => {
    expect(slownessOf(20_000, 100)).toBe(10);
  });
  it('are never shorter than written', () => {
    expect(patient(1000)).toBeGreaterThanOrEqual(1000);
  });
});
