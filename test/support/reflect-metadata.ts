// Decorators need it before the first class is read, as main.ts has it.
import 'reflect-metadata';
