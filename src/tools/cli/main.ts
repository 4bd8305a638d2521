#!/usr/bin/env node
import module from 'node:module';

// Node 22.1 and later keep compiled code; NODE_DISABLE_COMPILE_CACHE=1 turns that off. Older versions lack the function.
Reflect.get(module, 'enableCompileCache')?.();
void import('./program.js').then(({ main }) => main());
