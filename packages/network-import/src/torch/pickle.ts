/**
 * Reader of Python pickles that executes no code: a stack machine for dictionaries, lists, strings and
 * numbers,
 * which refuses all globals except those that checkpoints need. Opcodes:
 * https://github.com/python/cpython/blob/main/Lib/pickletools.py
 */
import { type ByteSource, refused } from '../../../onnx/src/index.ts';
import {
  allowed,
  damaged,
  dictionaries,
  dictionaryOf,
  parseLong,
  GlobalName,
  rebuildTensor,
  storageOf,
  tensorOf,
  textOf,
  type PickleValue,
} from './pickled.ts';

const maxSteps = 3_000_000;
const mark = Symbol('mark');
type StackItem = PickleValue | typeof mark;

interface ReadPickle {
  value: PickleValue;
  /** Offset of the first byte after the pickle. */
  end: number;
}

/** Reads the pickle at `from`, which ends before `to`. @throws MODEL_REFUSED */
export function readPickle(source: ByteSource, from = 0, to = source.size): ReadPickle {
  return new PickleMachine(source, from, to).run();
}

class PickleMachine {
  readonly #source: ByteSource;
  readonly #to: number;
  #at: number;
  readonly #stack: StackItem[] = [];
  readonly #memo = new Map<number, PickleValue>();

  constructor(source: ByteSource, from: number, to: number) {
    this.#source = source;
    this.#at = from;
    this.#to = to;
  }

  run(): ReadPickle {
    for (let steps = 0; steps < maxSteps; steps += 1) {
      const code = this.#byte();
      if (code === 0x2e) return { value: this.#pop(), end: this.#at };
      this.#step(code);
    }
    throw refused('The checkpoint is hostile: it describes more than any network has.');
  }

  #step(code: number): void {
    if (this.#constant(code) || this.#memory(code) || this.#collection(code)) return;
    if (code === 0x80) this.#take(1);
    else if (code === 0x95) this.#take(8);
    else if (code === 0x63) this.#push(this.#named(this.#line(), this.#line()));
    else if (code === 0x93) {
      const name = this.#pop();
      this.#push(this.#named(textOf(this.#pop()), textOf(name)));
    } else if (code === 0x51) this.#push(storageOf(this.#pop()));
    else if (code === 0x52 || code === 0x81) this.#call();
    else if (code === 0x62) this.#build();
    else throw damaged(`the opcode ${code} at ${this.#at - 1}`);
  }

  /** Executes opcodes that push a constant. @returns whether `code` is one. */
  #constant(code: number): boolean {
    if (code === 0x4e) this.#push(null);
    else if (code === 0x88) this.#push(true);
    else if (code === 0x89) this.#push(false);
    else if (code === 0x4b) this.#push(this.#byte());
    else if (code === 0x4d) this.#push(this.#take(2).readUInt16LE());
    else if (code === 0x4a) this.#push(this.#take(4).readInt32LE());
    else if (code === 0x47) this.#push(this.#take(8).readDoubleBE());
    else if (code === 0x8a) this.#push(parseLong(this.#take(this.#byte())));
    else if (code === 0x58 || code === 0x54 || code === 0x42)
      this.#push(this.#text(this.#take(4).readUInt32LE()));
    else if (code === 0x8c || code === 0x55 || code === 0x43) this.#push(this.#text(this.#byte()));
    else return false;
    return true;
  }

  /** Executes opcodes of the memo and those that drop values. @returns whether `code` is one. */
  #memory(code: number): boolean {
    if (code === 0x71) this.#memo.set(this.#byte(), this.#top());
    else if (code === 0x72) this.#memo.set(this.#take(4).readUInt32LE(), this.#top());
    else if (code === 0x94) this.#memo.set(this.#memo.size, this.#top());
    else if (code === 0x68) this.#push(this.#remembered(this.#byte()));
    else if (code === 0x6a) this.#push(this.#remembered(this.#take(4).readUInt32LE()));
    else if (code === 0x30) this.#pop();
    else if (code === 0x31) this.#sinceMark();
    else return false;
    return true;
  }

  /** Executes opcodes of lists, tuples and dictionaries. @returns whether `code` is one. */
  #collection(code: number): boolean {
    if (code === 0x28) this.#stack.push(mark);
    else if (code === 0x7d) this.#push(new Map());
    else if (code === 0x5d || code === 0x29) this.#push([]);
    else if (code === 0x74) this.#push(this.#sinceMark());
    else if (code >= 0x85 && code <= 0x87) this.#push(this.#last(code - 0x84));
    else if (code === 0x73) this.#set(this.#last(2));
    else if (code === 0x75) this.#set(this.#sinceMark());
    else if (code === 0x61) this.#append(this.#last(1));
    else if (code === 0x65) this.#append(this.#sinceMark());
    else return false;
    return true;
  }

  #set(pairs: PickleValue[]): void {
    const target = this.#top();
    if (!(target instanceof Map)) throw damaged('an entry for what is no dictionary');
    for (let i = 0; i + 1 < pairs.length; i += 2)
      target.set(pairs[i] as PickleValue, pairs[i + 1] as PickleValue);
  }

  #append(values: PickleValue[]): void {
    const target = this.#top();
    if (!Array.isArray(target)) throw damaged('a value for what is no list');
    target.push(...values);
  }

  /** Evaluates a call of one of the allowed functions. */
  #call(): void {
    const args = this.#pop();
    const called = this.#pop();
    if (!(called instanceof GlobalName) || !Array.isArray(args))
      throw damaged('a call of no function');
    if (dictionaries.includes(called.name)) this.#push(dictionaryOf(args));
    else if (called.name === rebuildTensor) this.#push(tensorOf(args));
    else throw damaged(`a call of ${called.name}`);
  }

  /** BUILD: drops attributes of dictionary objects, such as _metadata. */
  #build(): void {
    this.#pop();
    if (!(this.#top() instanceof Map)) throw damaged('attributes for what is no dictionary');
  }

  #named(module: string, name: string): GlobalName {
    const whole = `${module}.${name}`;
    if (allowed.includes(whole)) return new GlobalName(whole);
    throw refused(
      `The checkpoint names ${whole.slice(0, 100)}, which weights do not need; such a file can run programs when PyTorch opens it. Nothing of it was run. Get the network as .safetensors or ONNX, or from its author.`,
    );
  }

  #remembered(key: number): PickleValue {
    const value = this.#memo.get(key);
    if (value === undefined) throw damaged(`a reference to ${key}, which is not there`);
    return value;
  }

  #byte(): number {
    return this.#take(1).readUInt8();
  }

  #take(length: number): Buffer {
    if (this.#at + length > this.#to) throw damaged('an end in the middle');
    const bytes = this.#source.read(this.#at, length);
    this.#at += length;
    return bytes;
  }

  #text(length: number): string {
    if (length > 1 << 20) throw damaged(`a word of ${length} letters`);
    return this.#take(length).toString('utf8');
  }

  #line(): string {
    let line = '';
    for (let byte = this.#byte(); byte !== 10; byte = this.#byte()) {
      line += String.fromCharCode(byte);
      if (line.length > 500) throw damaged('a name without an end');
    }
    return line;
  }

  #push(value: PickleValue): void {
    this.#stack.push(value);
  }

  #pop(): PickleValue {
    const value = this.#stack.pop();
    if (value === undefined || value === mark) throw damaged('an empty stack');
    return value;
  }

  #top(): PickleValue {
    const value = this.#stack.at(-1);
    if (value === undefined || value === mark) throw damaged('an empty stack');
    return value;
  }

  #last(count: number): PickleValue[] {
    return Array.from({ length: count }, () => this.#pop()).toReversed();
  }

  #sinceMark(): PickleValue[] {
    const at = this.#stack.lastIndexOf(mark);
    if (at < 0) throw damaged('an end without a start');
    return this.#stack.splice(at).slice(1) as PickleValue[];
  }
}
