import { createRequire } from 'node:module';
import type express from 'express';

const { resolve } = createRequire(import.meta.url);

/** Express 4, which json-server brings. */
export const express4: typeof express = createRequire(resolve('json-server'))('express');
