import { expect, test } from 'vitest';

import { inGroups, readCheckpoint } from './checkpoint';

const NOTE = [
  'example.com/behind-the-sofa',
  '20852163',
  'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
  '',
  '\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=',
  '\u2014 witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==',
  '',
].join('\n');

test('a checkpoint as the page that defines them shows one', () => {
  const read = readCheckpoint(NOTE);
  expect([read.origin, read.size]).toEqual(['example.com/behind-the-sofa', 20852163]);
  expect(read.root).toBe('0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62');
  expect(read.signers).toEqual(['example.com/behind-the-sofa', 'witness.example.com/w1']);
});

test('what is no checkpoint is not shown as one', () => {
  for (const wrong of ['', 'a\nb\nc\n\n', NOTE.replace('20852163', 'many'), NOTE.replace('CsUY', '')]) {
    expect(() => readCheckpoint(wrong)).toThrow();
  }
});

test('a root is read in groups of eight', () => {
  expect(inGroups('0ac5186a91863e8e')).toBe('0ac5186a 91863e8e');
});
